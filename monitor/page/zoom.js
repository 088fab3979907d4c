// SPDX-License-Identifier: LGPL-3.0-or-later
// Which part of a slice is seen. Views that show the same place share one Zoom.
// Places here are in pixels of the file: 0 is the left edge of the first pixel, its centre is 0.5.

import { remember, recallNumbers } from "./keep.js";

const largest = 64; // screen pixels along one pixel of the file

export class Zoom {
	// name: under which the address keeps it
	constructor(name = "") {
		Object.assign(this, { scale: null, h: 0, v: 0, listeners: new Set() }); // scale null: the whole slice fits
		if (!name) return;
		const kept = recallNumbers(name, 3);
		if (kept?.[0] > 0) [this.scale, this.h, this.v] = kept;
		this.listeners.add(() => remember({ [name]: this.fitted ? null : [this.scale, this.h, this.v] }));
	}

	get fitted() { return this.scale === null; }

	set(scale, h, v) {
		const short = (value) => value && Number(value.toPrecision(9)); // as it is kept in the address
		Object.assign(this, { scale: short(scale), h: short(h), v: short(v) });
		this.tell();
	}

	fit() { if (!this.fitted) this.set(null, 0, 0); }

	// A place outside of the slice, e.g. after a larger volume, is not kept.
	within(width, height) { if (this.h > width || this.v > height || this.h < 0 || this.v < 0) this.fit(); }

	tell() { for (const listener of this.listeners) listener(this); }
}

// The map between the slice and a pane of the screen (sizes in screen pixels of CSS).
export function mapping(zoom, slice, pane) {
	const fit = Math.min(pane.width / (slice.width * slice.across), pane.height / (slice.height * slice.down)) || 1;
	const scale = zoom.fitted ? fit : zoom.scale;
	const h = zoom.fitted ? slice.width / 2 : zoom.h;
	const v = zoom.fitted ? slice.height / 2 : zoom.v;
	const kh = scale * slice.across;
	const kv = scale * slice.down;
	return {
		fit, scale, h, v, kh, kv,
		toScreen: (a, b) => [(a - h) * kh + pane.width / 2, (b - v) * kv + pane.height / 2],
		toSlice: (x, y) => [(x - pane.width / 2) / kh + h, (y - pane.height / 2) / kv + v],
	};
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

export function zoomAt(zoom, slice, pane, factor, x = pane.width / 2, y = pane.height / 2) {
	const now = mapping(zoom, slice, pane);
	const scale = Math.min(Math.max(largest, now.fit), now.scale * factor);
	if (scale <= now.fit * 1.0001) return zoom.fit();
	const [a, b] = now.toSlice(x, y);
	const h = a - (x - pane.width / 2) / (scale * slice.across);
	const v = b - (y - pane.height / 2) / (scale * slice.down);
	zoom.set(scale, clamp(h, 0, slice.width), clamp(v, 0, slice.height));
}

export function pan(zoom, slice, pane, dx, dy) {
	if (zoom.fitted) return;
	zoom.set(zoom.scale, clamp(zoom.h - dx / (zoom.scale * slice.across), 0, slice.width),
		clamp(zoom.v - dy / (zoom.scale * slice.down), 0, slice.height));
}

// The part of the slice to ask for and its level: never more pixels than the pane has on the screen.
export function wanted(map, slice, pane, ratio) {
	const [a, b] = map.toSlice(0, 0);
	const [c, d] = map.toSlice(pane.width, pane.height);
	const room = pane.width * pane.height * ratio * ratio;
	let level = Math.max(0, Math.floor(Math.log2(1.4 / (Math.min(map.kh, map.kv) * ratio))));
	level = Math.min(level, slice.levels - 1);
	for (;; ++level) {
		const side = 2 ** level;
		const box = [
			clamp(Math.floor(a / side) * side, 0, slice.width - 1), clamp(Math.floor(b / side) * side, 0, slice.height - 1),
			clamp(Math.ceil(c / side) * side, 1, slice.width), clamp(Math.ceil(d / side) * side, 1, slice.height),
		];
		const pixels = Math.ceil((box[2] - box[0]) / side) * Math.ceil((box[3] - box[1]) / side);
		if (pixels <= room || level >= slice.levels - 1) return { level, box };
	}
}
