// SPDX-License-Identifier: LGPL-3.0-or-later
// Facts about a volume and the names of its slices.

import { make, card, factList } from "./dom.js";
import { length, bytes } from "./format.js";

export const shape = (volume) => volume.extents.join(" × ");

const names = {
	projections: ["Projection", "Sinogram (row)", "Column over time"],
	sinograms: ["Sinogram (row)", "Projection", "Column over time"],
};

// The title of a view: a slice along an axis of this volume.
export function sliceName(volume, axis) {
	return names[volume.kind]?.[axis] || volume.axes[axis] + " slice";
}

const widths = { u8: 1, i8: 1, u16: 2, i16: 2, f16: 2, u32: 4, i32: 4, f32: 4, f64: 8 };

export function about(volume) {
	const { extents, axes, pixel, unit, element } = volume;
	const facts = [["Size", `${shape(volume)} (${axes.join(", ")})`]];
	const known = axes.map((name, i) => [name, pixel[i]]).filter(([, size]) => size > 0);
	if (unit && known.length) {
		const same = known.every(([, size]) => size === known[0][1]);
		facts.push(["Pixel", same ? length(known[0][1], unit) : known.map(([name, size]) => `${name} ${length(size, unit)}`).join(", ")]);
	}
	const width = widths[element];
	facts.push(["Values", element + (width ? ", " + bytes(extents.reduce((a, b) => a * b, width)) : "")]);
	facts.push(["File", volume.path]);
	if (volume.dataset) facts.push(["Data set", volume.dataset]);
	const part = card(volume.title, "about", factList(facts));
	if (volume.messages?.length) part.append(make("ul", { class: "notes" }, ...volume.messages.map((text) => make("li", { text }))));
	return part;
}
