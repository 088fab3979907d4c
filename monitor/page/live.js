// SPDX-License-Identifier: LGPL-3.0-or-later
// Controls of live planes: where they are, the rotation axis, the contrast.

import { make, button, row, space, setText, say } from "./dom.js";
import { post } from "./ask.js";
import { slider } from "./slider.js";
import { number, plain } from "./format.js";

// Sends changes one after the other: while one is on its way, only the newest next one waits.
export function sender(path) {
	let busy = false;
	let next = null;
	return async function send(body) {
		if (busy) { next = body; return; }
		busy = true;
		try { await post(path, body); } catch (error) { say(error.message); }
		busy = false;
		if (next) { const later = next; next = null; send(later); }
	};
}

export const goesOn = (run) => ["preparing", "running", "paused"].includes(run?.state);

export class LiveControls {
	constructor(live, contrast) {
		this.node = live.node;
		const property = sender("/run/live");
		const set = (name, value) => property({ node: this.node, property: name, value: String(value) });
		this.axis = make("input", { type: "number", step: "0.25", data: { live: "axis" }, placeholder: "auto", title: "Empty: that of the graph", on: { change: () => set("axis", this.axis.value || "auto") } });
		this.found = make("span", { class: "found", role: "status", data: { found: "" } });
		this.use = button("Use it", () => { this.axis.value = this.column; set("axis", this.column); }, { hidden: true });
		this.contrast = make("select", { data: { live: "contrast" }, on: { change: contrast } },
			...[["0.1", "0.1 %"], ["1", "1 %"], ["0", "all values"], ["hold", "as it is now"]].map(([value, text]) => make("option", { value, text })));
		this.planes = make("div", { class: "run-pictures" });
		this.add = sender("/run/plane");
		this.addButton = button("Add a plane", () => this.add({ node: this.node, number: -1, plane: middle("z", this.extents) }), { data: { action: "add-plane" } });
		this.root = make("section", { class: "card live", "aria-label": "Live planes", data: { live: live.node } },
			row(make("h2", { text: "Live planes" }), space(), this.addButton),
			row(make("label", { class: "inline" }, "Rotation axis", this.axis, make("span", { class: "muted", text: "columns" })), this.found, this.use,
				space(), make("label", { class: "inline" }, "Contrast", this.contrast)),
			this.planes);
	}

	get wanted() { return this.contrast.value; }

	update(live, going) {
		this.extents = live.extents;
		const found = live["found-axis"];
		this.column = found ? plain(found.column, 7) : "";
		setText(this.found, found ? `found: column ${number(found.column, 6)} ± ${number(found.deviation, 2)}${found.settled ? ", settled" : ", not settled yet"}` : "");
		this.use.hidden = !found || !going;
		if (live.axis !== undefined && document.activeElement !== this.axis) this.axis.value = live.axis === null ? "" : plain(live.axis, 8);
		for (const input of [this.axis, this.addButton]) input.disabled = !going;
	}
}

const simple = /^\s*([xyz])\s*=\s*(-?[\d.]+)\s*$/;

// Limits of a plane: z counts slices from 0; x and y count from the rotation axis.
function limits(name, extents) {
	const n = extents[{ z: 0, y: 1, x: 2 }[name]];
	return n ? (name === "z" ? [0, n - 1] : [-Math.floor(n / 2), Math.floor(n / 2)]) : [-1e6, 1e6];
}

const middle = (name, extents) => (name !== "z" ? name + "=0" : extents[0] ? "z=" + Math.floor(extents[0] / 2) : "z");

export class PlaneControls {
	constructor(live, plane) {
		Object.assign(this, { node: live.node, plane: null, number: plane.number });
		this.send = sender("/run/plane");
		const move = (text) => this.send({ node: this.node, number: this.number, plane: text });
		this.move = move;
		this.axis = make("select", { "aria-label": "Direction of the plane", on: { change: () => move(middle(this.axis.value, this.extents)) } },
			...["z", "y", "x"].map((value) => make("option", { value, text: value + " =" })));
		this.place = make("div", { class: "plane-place" });
		this.text = make("input", { type: "text", "aria-label": "Plane", spellcheck: "false", on: { change: () => move(this.text.value) } });
		this.remove = button("Remove", () => move(""), { "aria-label": "Remove this plane" });
		this.row = make("div", { class: "plane-row" }, this.axis, this.place, this.remove);
		this.root = make("div", { class: "plane", data: { plane: plane.number } }, this.row);
	}

	update(live, plane) {
		this.extents = live.extents;
		const known = String(live.extents);
		if (plane.plane === this.plane && known === this.known) return;
		if (known !== this.known) this.name = null;
		this.known = known;
		this.plane = plane.plane;
		this.root.dataset.at = plane.plane;
		const match = simple.exec(plane.plane);
		this.axis.hidden = !match;
		if (!match) { // a plane through other points: only as text
			this.text.value = plane.plane;
			this.name = null;
			return this.place.replaceChildren(this.text);
		}
		const [, name, at] = match;
		this.axis.value = name;
		if (this.name === name && this.slider) {
			if (!this.place.contains(document.activeElement)) this.slider.show(Number(at));
			return;
		}
		this.name = name;
		const [low, high] = limits(name, live.extents);
		this.slider = slider({ title: "Position " + name, low, high, step: 1, value: Number(at), unit: " ", onChange: (value) => this.move(`${name}=${value}`) });
		this.slider.range.hidden = high === 1e6;
		this.place.replaceChildren(this.slider.root);
	}
}
