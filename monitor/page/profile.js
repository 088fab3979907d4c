// SPDX-License-Identifier: LGPL-3.0-or-later
// A line through a slice and the graph of the values along it.

import { make, button, row, space, copyText, setText } from "./dom.js";
import { Asker, getJson, perFrame } from "./ask.js";
import { drawLines } from "./graph2d.js";
import { number, length, bestUnit } from "./format.js";
import { remember, recall } from "./keep.js";

export class Profile {
	// series(axis): [{title, address(from, to)}]; size(axis): [length of a pixel, unit]; changed(): marks must be drawn anew
	constructor({ series, size, changed, limits }) {
		Object.assign(this, { series, size, changed, limits, on: false, axis: 0, ends: null, lines: [], at: null });
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
		this.askers = [0, 1].map((i) => new Asker(getJson, (result) => this.take(i, result), (error) => setText(this.note, error.message)));
		const kept = (recall("line") || "").split(",").map(Number);
		if (kept.length === 5 && kept.every(Number.isFinite)) {
			this.axis = kept[0];
			this.ends = [[kept[1], kept[2]], [kept[3], kept[4]]];
			this.on = true;
		}
		this.tool = {
			down: (h, v, view) => {
				const near = this.axis === view.axis && this.ends ? this.ends.findIndex((e) => Math.hypot(...view.map.toScreen(...e).map((s, i) => s - view.map.toScreen(h, v)[i])) < 14) : -1;
				this.moving = near < 0 ? 1 : near;
				if (near < 0) { this.axis = view.axis; this.ends = [[h, v], [h, v]]; }
				this.move(h, v);
			},
			move: (h, v) => this.move(h, v),
		};
	}

	set(on) {
		this.on = on;
		this.root.hidden = !on;
		if (on && this.ends && !this.limits(this.axis)) this.ends = null;
		if (on && !this.ends) { // a first line through the middle, so that keys alone suffice
			this.axis = this.limits(this.axis) ? this.axis : 0;
			const [width, height] = this.limits(this.axis) || [1, 1];
			this.ends = [[width * 0.2, height / 2], [width * 0.8, height / 2]];
		}
		this.keep();
		this.changed();
		this.ask();
	}

	move(h, v) {
		const [width, height] = this.limits(this.axis) || [1, 1];
		this.ends[this.moving] = [Math.max(0.5, Math.min(width - 0.5, h)), Math.max(0.5, Math.min(height - 0.5, v))];
		this.keep();
		this.changed();
		this.ask();
	}

	nudge(event, i) {
		const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
		if (!by || !this.ends) return;
		event.preventDefault();
		event.stopPropagation();
		const step = event.shiftKey ? 10 : 1;
		this.moving = i;
		this.move(this.ends[i][0] + by[0] * step, this.ends[i][1] + by[1] * step);
	}

	keep() { remember({ line: this.on && this.ends ? [this.axis, ...this.ends[0], ...this.ends[1]] : null }); }

	ask() {
		if (!this.on || !this.ends) return;
		const [from, to] = this.ends.map(([h, v]) => `${(h - 0.5).toFixed(2)},${(v - 0.5).toFixed(2)}`);
		const series = this.series(this.axis);
		this.titles = series.map((one) => one.title);
		if (this.lines.length > series.length) this.lines.length = series.length;
		if (from === to) return;
		series.slice(0, 2).forEach((one, i) => this.askers[i].ask({ address: one.address(from, to) }));
	}

	take(i, result) {
		if (i < (this.titles?.length ?? 0)) this.lines[i] = result;
		this.drawSoon();
	}

	draw() {
		const lines = this.lines.filter(Boolean);
		if (!this.on || !lines.length) return;
		const [pixel, unit] = this.size(this.axis) || [0, ""];
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
		const [pixel, unit] = this.size(this.axis) || [0, ""];
		const known = pixel > 0 && unit;
		const head = ["pixels", ...(known ? [unit] : []), ...(lines.length > 1 ? this.titles.map((t) => t.replace(/[",]/g, " ")) : ["value"])];
		const rows = lines[0].values.map((_, k) => {
			const at = k * lines[0].step;
			return [at.toPrecision(8), ...(known ? [(at * pixel).toPrecision(8)] : []), ...lines.map((l) => l.values[k] ?? "nan")].join(",");
		});
		copyText([head.join(","), ...rows].join("\n") + "\n", `Copied ${rows.length} lines as CSV.`);
	}
}
