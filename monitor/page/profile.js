// SPDX-License-Identifier: LGPL-3.0-or-later
// A line through a slice and the graph of the values along it.

import { make, button, row, space, copyText, setText } from "./dom.js";
import { Asker, getJson, perFrame } from "./ask.js";
import { drawLines } from "./graph2d.js";
import { number, length, bestUnit } from "./format.js";
import { remember, recall } from "./keep.js";

export class Profile {
	// series(axis): [{title, address(from, to)}]; size(axis): [length of a pixel, unit]; limits(axis): [width, height] of a slice;
	// shown(): axes of the views; changed(): marks must be drawn anew
	constructor({ series, size, changed, limits, shown }) {
		Object.assign(this, { series, size, changed, limits, shown, on: false, axis: 0, ends: null, lines: [], at: null });
		this.canvas = make("canvas", { class: "graph", role: "img", "aria-label": "Profile" });
		this.note = make("p", { class: "facts", role: "status" });
		const end = (i, text) => button(text, () => {}, { class: "end", data: { end: i }, title: "Arrow keys move this end by one pixel, with Shift by ten", on: { keydown: (event) => this.nudge(event, i) } });
		this.root = make("section", { class: "card profile", "aria-label": "Profile", hidden: true, data: { profile: "" } },
			row(make("h2", { text: "Profile" }), space(),
				end(0, "Move start"), end(1, "Move end"), button("Copy as CSV", () => this.copy(), { data: { action: "copy-profile" } }),
				button("Close", () => this.set(false))),
			this.canvas, this.note);
		this.drawSoon = perFrame(() => this.draw());
		new ResizeObserver(() => this.drawSoon()).observe(this.canvas);
		this.canvas.addEventListener("pointermove", (event) => {
			if (this.drawn) { this.at = this.drawn.toDistance(event.clientX - this.canvas.getBoundingClientRect().left); this.drawSoon(); }
		});
		this.canvas.addEventListener("pointerleave", () => { this.at = null; this.drawSoon(); });
		this.askers = [0, 1].map((i) => new Asker(getJson, (result) => this.take(i, result), (error) => this.fail(i, error)));
		const kept = (recall("line") || "").split(",").map(Number);
		if (kept.length === 5 && kept.every(Number.isFinite) && [0, 1, 2].includes(kept[0])) {
			this.axis = kept[0];
			this.ends = [[kept[1], kept[2]], [kept[3], kept[4]]];
			this.on = true;
		}
		this.tool = {
			down: (h, v, view) => {
				const near = this.axis === view.axis && this.ends ? this.ends.findIndex((e) => Math.hypot(...view.map.toScreen(...e).map((s, i) => s - view.map.toScreen(h, v)[i])) < 14) : -1;
				this.moving = near < 0 ? 1 : near;
				this.before = [this.axis, this.ends?.map((end) => [...end])];
				if (near < 0) { this.axis = view.axis; this.ends = [[h, v], [h, v]]; }
				else this.move(h, v);
			},
			move: (h, v) => this.move(h, v),
			up: () => { // a click is no line
				if (this.long) return;
				[this.axis, this.ends] = this.before;
				this.moved();
			},
		};
	}

	set(on) {
		this.on = on;
		this.root.hidden = !on;
		this.settle();
	}

	// The line lies within a view that is shown.
	settle() {
		const axes = this.shown();
		if (this.on && axes.length) {
			if (!axes.includes(this.axis)) [this.axis, this.ends] = [axes[0], null];
			this.ends = this.ends?.map((end) => this.inside(end));
			const [width, height] = this.limits(this.axis);
			if (!this.long) this.ends = [[width * 0.2, height / 2], [width * 0.8, height / 2]]; // a first line, so that keys alone suffice
		}
		this.moved();
	}

	get long() { return Boolean(this.ends) && Math.hypot(...this.ends[0].map((from, i) => this.ends[1][i] - from)) >= 1; }

	inside(place) { return this.limits(this.axis).map((size, i) => Math.max(0.5, Math.min(size - 0.5, place[i]))); }

	moved() {
		this.keep();
		this.changed();
		this.ask();
	}

	move(h, v) {
		this.ends[this.moving] = this.inside([h, v]);
		this.moved();
	}

	nudge(event, i) {
		const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
		if (!by || !this.ends) return;
		event.preventDefault();
		event.stopPropagation();
		const step = event.shiftKey ? 10 : 1;
		const before = this.ends[i];
		this.moving = i;
		this.move(before[0] + by[0] * step, before[1] + by[1] * step);
		if (!this.long) this.move(...before);
	}

	keep() { remember({ line: this.on && this.ends ? [this.axis, ...this.ends[0], ...this.ends[1]] : null }); }

	ask() {
		if (!this.on || !this.long) return;
		const [from, to] = this.ends.map(([h, v]) => `${(h - 0.5).toFixed(2)},${(v - 0.5).toFixed(2)}`);
		const series = this.series(this.axis);
		this.titles = series.map((one) => one.title);
		if (this.lines.length > series.length) this.lines.length = series.length;
		series.slice(0, 2).forEach((one, i) => this.askers[i].ask({ address: one.address(from, to) }));
	}

	fail(i, error) { // old values are not those of this line
		this.lines[i] = this.drawn = null;
		this.canvas.width = this.canvas.clientWidth;
		setText(this.note, error.message);
	}

	take(i, result) {
		if (i < (this.titles?.length ?? 0)) this.lines[i] = result;
		this.drawSoon();
	}

	draw() {
		const lines = this.lines.filter(Boolean);
		if (!this.on || !lines.length) return;
		const [pixel, unit] = this.size(this.axis);
		const known = pixel > 0 && unit;
		const [best, toBest] = known ? bestUnit(lines[0].length * pixel, unit) : ["pixels", 1];
		const factor = known ? pixel * toBest : 1;
		this.drawn = drawLines(this.canvas, lines, { across: "distance in " + best, up: "value", factor, at: this.at });
		const first = lines[0];
		this.root.dataset.count = first.values.length;
		const whole = known ? `${length(first.length * pixel, unit)} (${number(first.length, 4)} pixels)` : `${number(first.length, 4)} pixels`;
		let text = `Length ${whole}`;
		if (this.at !== null && this.drawn) {
			const k = Math.round(this.at / factor / first.step);
			if (k >= 0 && k < first.values.length) text = `At ${known ? length(k * first.step * pixel, unit) : number(k * first.step, 4) + " pixels"}: ` + lines.map((l) => number(l.values[k], 6)).join("  and  ");
		}
		if (lines.length > 1) text += `.  Full line: ${this.titles[0]}, broken line: ${this.titles[1]}`;
		setText(this.note, text);
		this.canvas.setAttribute("aria-label", `Profile of ${first.values.length} values. ${text}`);
	}

	copy() {
		const lines = this.lines.filter(Boolean);
		if (!lines.length) return;
		const [pixel, unit] = this.size(this.axis);
		const known = pixel > 0 && unit;
		const head = ["pixels", ...(known ? [unit] : []), ...(lines.length > 1 ? this.titles.map((t) => t.replace(/[",]/g, " ")) : ["value"])];
		const rows = lines[0].values.map((_, k) => {
			const at = k * lines[0].step;
			return [at.toPrecision(8), ...(known ? [(at * pixel).toPrecision(8)] : []), ...lines.map((l) => l.values[k] ?? "nan")].join(",");
		});
		copyText([head.join(","), ...rows].join("\n") + "\n", `Copied ${rows.length} lines as CSV.`);
	}
}
