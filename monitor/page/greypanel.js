// SPDX-License-Identifier: LGPL-3.0-or-later
// The panel of a grey window: histogram with two handles, number fields, shares, invert.

import { make, button, row, choiceRow, setText, say } from "./dom.js";
import { Asker, getJson, perFrame } from "./ask.js";
import { counts, percentiles } from "./grey.js";
import { digitsOf, number, plain } from "./format.js";
import { remember, recall, recallNumbers, recallOne } from "./keep.js";

let made = 0;
const dark = matchMedia("(prefers-color-scheme: dark)");

export class GreyPanel {
	// id: short name, also in the address; title: whose window it is
	constructor({ grey, id, title = "Grey window", symmetric = false }) {
		Object.assign(this, { grey, id, symmetric, picture: null, exact: null, rule: "0.1", follow: false });
		const kept = recallNumbers("window" + id, 2);
		this.follow = recall("each" + id) === "1";
		const good = kept?.[0] < kept?.[1];
		this.settled = good; // not settled: the first exact histogram sets the window
		this.rule = recallOne("rule" + id, ["0.1", "1", "full", "hand"]) || (good ? "hand" : "0.1");
		if (good) grey.set(...kept);
		if (recall("invert" + id) === "1") grey.invert = true;
		this.build(title);
		this.asker = new Asker(getJson, (result, wish) => wish.address === this.address && this.take(result),
			(error, wish) => { if (wish.address === this.address) setText(this.facts, error.message); });
		this.drawSoon = perFrame(() => this.draw());
		grey.listeners.add(() => { this.drawSoon(); this.keep(); });
		new ResizeObserver(() => this.drawSoon()).observe(this.canvas);
		dark.addEventListener("change", this.drawSoon);
		this.drawSoon();
	}

	end() {
		this.asker.drop();
		dark.removeEventListener("change", this.drawSoon);
	}

	build(title) {
		const key = "grey-" + ++made;
		this.canvas = make("canvas", { class: "histogram", role: "img", "aria-label": "Histogram", data: { histogram: this.id || "0" } });
		const field = (name, text) => make("input", { type: "number", step: "any", id: key + name, data: { grey: name },
			"aria-label": text, on: { input: () => { this.typing = name; }, change: (event) => this.typed(name, event.target.value), blur: () => this.typed(name, "") } });
		this.black = field("low", "Black: value shown black");
		this.white = field("high", "White: value shown white");
		this.invertBox = make("input", { type: "checkbox", checked: this.grey.invert, data: { grey: "invert" },
			on: { change: () => this.grey.setInvert(this.invertBox.checked) } });
		const rule = (name, text, hint) => button(text, () => this.useRule(name), { title: hint, "aria-pressed": "false", data: { rule: name } });
		this.rules = [
			rule("0.1", "0.1 %", "0.1 % of the pixels are black and 0.1 % are white"),
			rule("1", "1 %", "1 % of the pixels are black and 1 % are white"),
			rule("full", "nothing", "From the smallest to the largest value of this slice"),
		];
		this.followRow = choiceRow("Window", [["keep", "Same for all slices", "Greys can be compared"],
			["each", "Each its own", "Every slice has its own window, by the chosen share"]], this.follow ? "each" : "keep", (value) => {
			this.follow = value === "each";
			if (this.follow && this.rule === "hand") this.rule = "0.1";
			if (this.follow) this.useRule(this.rule);
			this.keep();
		});
		this.facts = make("p", { class: "facts" });
		this.holes = make("p", { class: "legend", hidden: true }, make("span", { class: "hole-colour", "aria-hidden": "true" }), make("span", { text: "not a number" }));
		this.root = make("section", { class: "card grey-panel", "aria-label": title, data: { window: this.id || "0" } },
			this.heading = make("h2", { text: title }), this.canvas,
			row(make("label", { htmlFor: key + "low", text: "Black" }), this.black, make("label", { htmlFor: key + "high", text: "White" }), this.white),
			row("Clip", make("div", { class: "together", role: "group", "aria-label": "Clip" }, ...this.rules),
				make("label", { class: "check" }, this.invertBox, "Invert")),
			this.followRow, this.facts, this.holes);
		this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
		this.canvas.addEventListener("pointermove", (event) => this.hover(event));
	}

	setTitle(title) { setText(this.heading, title); this.root.setAttribute("aria-label", title); }

	// A picture is shown: a fast estimate until the exact histogram of the slice comes.
	show(picture, whole) {
		this.picture = picture;
		if (this.renew && this.grey.known) { // another volume: is its picture seen with this window?
			const common = Math.min(this.grey.high, picture.high) - Math.max(this.grey.low, picture.low);
			if (common < 0.1 * (this.grey.high - this.grey.low)) {
				this.settled = false;
				if (this.rule === "hand") this.rule = "0.1";
				this.apply(this.estimate(picture));
			}
		}
		this.renew = false;
		if (this.follow && whole && this.rule !== "hand" && !this.fresh) this.apply(this.estimate(picture));
		this.fresh = false;
		this.drawSoon();
	}

	ask(address) {
		if (address === this.address) return;
		this.address = address;
		this.exact = this.empty = null; // those of another slice
		this.showFacts();
		this.asker.ask({ address });
	}

	take(result) {
		this.exact = result;
		this.empty = result["not-finite"] >= result.pixels;
		this.showFacts();
		if (this.empty) return;
		this.scale = [result.percentiles["0.1"], result.percentiles["99.9"]];
		this.fresh = true;
		const first = !this.settled;
		this.settled ||= result.high > result.low; // not by a slice without contrast
		if (first || (this.follow && this.rule !== "hand")) this.apply(this.bounds(this.rule === "hand" ? "0.1" : this.rule));
		if (first) this.keep();
		this.drawSoon();
	}

	estimate(picture) {
		if (this.rule === "full") return [picture.low, picture.high];
		const share = Number(this.rule);
		return percentiles(picture, [share, 100 - share]);
	}

	bounds(rule) {
		const h = this.exact;
		if (this.empty) return null;
		if (!h) return this.picture ? this.estimate(this.picture) : null;
		if (rule === "full") return [h.low, h.high];
		const share = Number(rule);
		return [h.percentiles[String(share)], h.percentiles[String(100 - share)]];
	}

	useRule(rule) {
		this.rule = rule;
		this.settled = true;
		this.apply(this.bounds(rule));
		this.drawSoon();
		this.keep();
	}

	apply(bounds) {
		if (!bounds || bounds.some((value) => !Number.isFinite(value))) return;
		if (this.symmetric) { // differences: zero is the middle grey
			const reach = Math.max(Math.abs(bounds[0]), Math.abs(bounds[1]));
			bounds = [-reach, reach];
		}
		this.own = true;
		this.grey.set(...bounds);
		this.own = false;
	}

	byHand(low, high) {
		this.rule = "hand";
		this.settled = true;
		if (this.follow) { this.follow = false; this.followRow.choose("keep"); }
		this.grey.set(low, high);
	}

	// The other end of the window is not read back from its field: that shows fewer digits.
	typed(name, text) {
		this.typing = null;
		const { low, high, known } = { ...this.grey, known: this.grey.known, [name]: Number(text) };
		if (text !== "" && low < high) this.byHand(low, high);
		else if (text !== "" && known) say("Black must be less than white.");
		this.drawSoon();
	}

	keep() {
		const { id, grey } = this;
		remember({ ["window" + id]: this.settled && grey.known ? grey.low + "," + grey.high : null, ["rule" + id]: this.settled ? this.rule : null,
			["each" + id]: this.follow ? 1 : null, ["invert" + id]: grey.invert ? 1 : null });
	}

	showFacts() {
		const h = this.exact;
		const exactly = (value) => number(value, digitsOf(h.low, h.high));
		setText(this.facts, !h ? "" : this.empty ? "no numbers in this slice"
			: `mean ${exactly(h.mean)}, standard deviation ${number(h.deviation, 3)}, from ${exactly(h.low)} to ${exactly(h.high)}`);
		this.holes.hidden = !h?.["not-finite"];
		if (h) setText(this.holes.lastChild, `not a number: ${h["not-finite"]} ${h["not-finite"] === 1 ? "pixel" : "pixels"}`);
	}

	// The part of the values that the histogram shows: most pixels and the window.
	range() {
		if (this.held) return this.held;
		const p = this.picture;
		let [low, high] = this.scale || (p ? [p.low, p.high] : [0, 1]);
		const margin = 0.25 * (high - low) || Math.abs(low) || 1;
		low -= margin;
		high += margin;
		if (this.grey.known) { low = Math.min(low, this.grey.low); high = Math.max(high, this.grey.high); }
		const edge = 0.03 * (high - low);
		return [low - edge, high + edge];
	}

	bins(low, high, wanted) {
		const h = this.exact;
		if (h && !this.empty && (high - low) > 0.3 * (h.high - h.low)) return { counts: h.counts, low: h.low, high: h.high };
		return this.picture ? { counts: counts(this.picture, low, high, wanted), low, high } : { counts: [], low, high };
	}

	place(event) {
		const box = this.canvas.getBoundingClientRect();
		const [low, high] = this.range();
		return { x: event.clientX - box.left, value: low + ((event.clientX - box.left) / box.width) * (high - low), perPixel: (high - low) / box.width };
	}

	grab(event) {
		if (!this.grey.known || event.button) return;
		event.preventDefault();
		this.held = this.range();
		const { value, perPixel } = this.place(event);
		const { low, high } = this.grey;
		const [nearLow, nearHigh] = this.near(event);
		const kind = Math.min(nearLow, nearHigh) < 12 ? (nearLow < nearHigh ? "low" : "high") : value > low && value < high ? "both" : value <= low ? "low" : "high";
		this.canvas.setPointerCapture(event.pointerId);
		const move = (e) => {
			const v = this.place(e).value;
			if (kind === "low") this.byHand(Math.min(v, this.grey.high - perPixel), this.grey.high);
			else if (kind === "high") this.byHand(this.grey.low, Math.max(v, this.grey.low + perPixel));
			else this.byHand(low + v - value, high + v - value);
		};
		const end = () => {
			this.canvas.removeEventListener("pointermove", move);
			this.held = null;
			this.drawSoon();
		};
		if (kind !== "both") move(event);
		this.canvas.addEventListener("pointermove", move);
		this.canvas.addEventListener("lostpointercapture", end, { once: true });
	}

	hover(event) {
		if (this.grey.known) this.canvas.classList.toggle("at-handle", Math.min(...this.near(event)) < 12);
	}

	near(event) { // screen pixels from black and from white
		const { value, perPixel } = this.place(event);
		return [this.grey.low, this.grey.high].map((end) => Math.abs(value - end) / perPixel);
	}

	draw() {
		const { grey, canvas } = this;
		for (const [name, input] of [["low", this.black], ["high", this.white]]) if (this.typing !== name) input.value = plain(grey[name], digitsOf(grey.low, grey.high));
		this.invertBox.checked = grey.invert;
		for (const one of this.rules) one.setAttribute("aria-pressed", String(one.dataset.rule === this.rule));
		Object.assign(this.root.dataset, { low: grey.low, high: grey.high, rule: this.rule });
		if (!this.picture && !this.exact) return;
		const box = canvas.getBoundingClientRect();
		if (!box.width) return;
		const ratio = devicePixelRatio || 1;
		canvas.width = Math.round(box.width * ratio);
		canvas.height = Math.round(box.height * ratio);
		const context = canvas.getContext("2d");
		context.scale(ratio, ratio);
		drawHistogram(context, box.width, box.height, this, getComputedStyle(canvas));
		canvas.setAttribute("aria-label", `Histogram; black is ${number(grey.low)}, white is ${number(grey.high)}`);
	}
}

function drawHistogram(context, width, height, panel, style) {
	const colour = (name) => style.getPropertyValue(name).trim();
	const [low, high] = panel.range();
	const x = (value) => ((value - low) / (high - low)) * width;
	const bottom = height - 8;
	const bins = panel.bins(low, high, Math.round(width));
	const top = Math.sqrt(Math.max(1, ...bins.counts));
	const step = (bins.high - bins.low) / (bins.counts.length || 1);
	context.fillStyle = colour("--soft");
	bins.counts.forEach((count, i) => { // heights are square roots, so that rare values are seen
		if (!count) return;
		const tall = Math.max(1, (Math.sqrt(count) / top) * (bottom - 2));
		const left = x(bins.low + i * step);
		context.fillRect(left, bottom - tall, Math.max(1, x(bins.low + (i + 1) * step) - left), tall);
	});
	if (!panel.grey.known) return;
	const a = x(panel.grey.low);
	const b = x(panel.grey.high);
	const ramp = context.createLinearGradient(a, 0, Math.max(b, a + 1), 0);
	ramp.addColorStop(0, panel.grey.invert ? "#fff" : "#000");
	ramp.addColorStop(1, panel.grey.invert ? "#000" : "#fff");
	context.fillStyle = ramp;
	context.fillRect(0, bottom + 1, width, 7);
	context.strokeStyle = colour("--accent");
	context.fillStyle = colour("--accent");
	context.lineWidth = 1.5;
	context.beginPath();
	context.moveTo(a, bottom);
	context.lineTo(b, 2);
	context.globalAlpha = 0.6;
	context.stroke();
	context.globalAlpha = 1;
	for (const at of [a, b]) {
		context.fillRect(at - 1, 0, 2, bottom);
		context.beginPath();
		context.roundRect(at - 4, bottom / 2 - 10, 8, 20, 3);
		context.fill();
	}
}
