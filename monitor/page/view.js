// SPDX-License-Identifier: LGPL-3.0-or-later
// One view: shows slices of one source in a canvas, with slider, zoom and grey window.

import { make, setText, tell } from "./dom.js";
import { Asker, afterFirst, firstPainted, getPicture, news, perFrame } from "./ask.js";
import { paint, percentiles } from "./grey.js";
import { mapping, wanted } from "./zoom.js";
import { number } from "./format.js";
import { listenTo } from "./hand.js";
import { slider } from "./slider.js";

const rest = 150; // milliseconds without movement, after which the full picture is asked for

export class View {
	// name: for tests and styles; title: heading; zoom, grey: may be shared with other views; hooks: see the calls below
	constructor({ name, title, zoom, grey, hooks = {}, index = 0, count = 0, indexTitle = "", level = "h2" }) {
		Object.assign(this, { name, zoom, grey, hooks, index, count, indexTitle, title });
		Object.assign(this, { slice: null, source: null, top: null, base: null, tool: null, marks: [], serial: 0, paintedSerial: 0 });
		this.pane = { width: 0, height: 0 };
		this.picture = make("canvas", { class: "picture", tabIndex: 0, role: "img", "aria-label": title });
		this.overlay = make("canvas", { class: "overlay", "aria-hidden": "true" });
		this.trouble = make("p", { class: "trouble", role: "status", hidden: true });
		this.busy = make("span", { class: "busy", text: "working …", hidden: true, title: "A new picture is on its way" });
		this.heading = make(level, { text: title });
		this.bar = make("header", {}, this.heading, this.busy);
		this.frame = make("div", { class: "pane" }, this.picture, this.overlay, this.trouble);
		this.root = make("section", { class: "view", "aria-label": title, data: { view: name, shown: "0" } }, this.bar, this.frame);
		if (count > 1) {
			this.slider = slider({ title: indexTitle, low: 0, high: count - 1, step: 1, value: index,
				onChange: (value) => this.setIndex(value) });
			this.bar.append(this.slider.root);
		}
		this.asker = new Asker((address, signal) => getPicture(address, signal), (result, wish) => this.take(result, wish), (error, wish) => this.fail(error, wish));
		this.drawSoon = perFrame(() => this.draw());
		this.marksSoon = perFrame(() => this.drawMarks());
		this.onZoom = () => { this.frame.classList.toggle("zoomed", !this.zoom.fitted); this.drawSoon(); this.want(true); };
		this.onGrey = () => { this.dirty = true; this.drawSoon(); };
		this.onNews = () => this.want(false);
		zoom.listeners.add(this.onZoom);
		grey.listeners.add(this.onGrey);
		for (const event of ["answered", "visible"]) news.addEventListener(event, this.onNews);
		this.watch = new ResizeObserver(([entry]) => this.resize(entry.contentRect));
		this.watch.observe(this.frame);
		listenTo(this);
		this.onZoom();
	}

	end() {
		this.watch.disconnect();
		this.asker.drop();
		clearTimeout(this.timer);
		this.zoom.listeners.delete(this.onZoom);
		this.grey.listeners.delete(this.onGrey);
		for (const event of ["answered", "visible"]) news.removeEventListener(event, this.onNews);
		this.source = null;
		this.root.remove();
	}

	// source({index, level, box, quick}) gives an address. key: what else it depends on; pictures of another key are dropped.
	// variant: also what it depends on, but pictures of another variant are shown until the newest one comes.
	setSource(source, key = "", variant = "") {
		this.source = source;
		this.variant = variant;
		if (key !== this.key) { this.asker.drop(); this.base = null; }
		this.key = key;
		this.want(true);
	}

	setSlice({ width, height, across = 1, down = 1, levels = 1 }) {
		const same = this.slice && this.slice.width === width && this.slice.height === height;
		this.slice = { width, height, across, down, levels };
		if (!same) { this.drawSoon(); this.want(true); }
	}

	setTitle(title) {
		this.title = title;
		setText(this.heading, title);
		this.heading.title = title;
		this.root.setAttribute("aria-label", title);
	}

	setIndex(index, { tell = true } = {}) {
		index = Math.max(0, Math.min(this.count - 1, Math.round(index)));
		if (index === this.index) return;
		this.index = index;
		this.slider?.show(index);
		if (tell) this.hooks.onIndex?.(index, this);
		this.want(true);
		this.marksSoon();
	}

	resize(size) {
		const pane = { width: Math.floor(size.width), height: Math.floor(size.height) };
		if (pane.width === this.pane.width && pane.height === this.pane.height && this.ratio === devicePixelRatio) return;
		this.pane = pane;
		this.ratio = devicePixelRatio;
		const ratio = devicePixelRatio || 1;
		for (const canvas of [this.picture, this.overlay]) {
			canvas.width = Math.max(1, Math.round(this.pane.width * ratio));
			canvas.height = Math.max(1, Math.round(this.pane.height * ratio));
		}
		this.draw();
		this.want(true);
	}

	// Takes its size at once, not when the browser tells it.
	measure() { this.resize(this.frame.getBoundingClientRect()); }

	get ready() { return this.slice && this.pane.width > 8 && this.pane.height > 8; }
	get map() { return mapping(this.zoom, this.slice, this.pane); }

	// Asks for the picture that should be seen now; while things move a quick one, after a rest the full one.
	want(moving) {
		clearTimeout(this.timer);
		if (!this.source) this.hooks.onWant?.();
		if (!this.source || !this.ready || document.hidden) return this.showState();
		const place = this.hooks.whole ? { level: 0, box: null } : wanted(this.map, this.slice, this.pane, devicePixelRatio || 1);
		const same = [this.key, this.variant, this.index, place.level, place.box].join(" ");
		this.wish = { same, key: this.key, variant: this.variant, index: this.index, ...place };
		this.showState();
		if (this.top?.same === same && (this.top.full || moving)) {
			this.asker.rest();
			tell(this.trouble);
			if (this.top.full) return;
		} else if (moving) this.send(true);
		if (moving) this.timer = setTimeout(() => this.want(false), rest);
		else this.send(false);
	}

	send(quick) {
		const wish = { ...this.wish, quick, serial: ++this.serial, patient: !quick };
		wish.address = this.source(wish);
		this.asker.ask(wish);
		this.showState();
	}

	take(result, wish) {
		if (wish.key !== this.key || wish.serial < this.paintedSerial) return;
		tell(this.trouble);
		this.paintedSerial = wish.serial;
		if (!wish.quick) result.full = true; // no better one will come
		else if (this.hooks.whole && result.level > 0) result.full = false;
		this.put(result, wish);
		afterFirst().then(() => this.source && this.hooks.onPainted?.(result, wish, this));
	}

	// Shows a picture: box is its place in the slice; without one it is the whole slice.
	put(result, { box = null, same = "", index = this.index, variant = this.variant, quick = false } = {}) {
		const side = 2 ** result.level;
		if (this.hooks.whole) { // a coarse picture may be a little larger than the slice
			if (!this.slice || !quick) this.setSlice({ width: result.width * side, height: result.height * side });
			box = null;
		}
		const area = box ? [box[0], box[1], box[0] + result.width * side, box[1] + result.height * side]
			: [0, 0, this.slice.width, this.slice.height];
		const whole = area[0] <= 0 && area[1] <= 0 && area[2] >= this.slice.width && area[3] >= this.slice.height;
		const layer = { picture: result, whole, area, same, index, variant, key: this.key, full: result.full, canvas: this.spare() };
		this.top = layer;
		if (whole) this.base = layer;
		else if (this.base && this.base.index !== index) this.base = null;
		if (!this.grey.known) this.grey.set(...percentiles(result, [0.1, 99.9]));
		this.dirty = true;
		this.draw();
		this.showState();
		firstPicture();
	}

	spare() { // a canvas for a picture that neither layer uses now
		this.spares ||= [0, 1, 2].map(() => document.createElement("canvas"));
		return this.spares.find((canvas) => canvas !== this.top?.canvas && canvas !== this.base?.canvas);
	}

	fail(error, wish) {
		if (wish.key !== this.key) return;
		tell(this.trouble, error.message);
		this.showState();
		this.busy.hidden = true;
	}

	showState() {
		const shown = Boolean(this.top) && (!this.source || (this.top.index === this.index && this.top.key === this.key && this.top.variant === this.variant));
		const picture = this.top?.picture;
		Object.assign(this.root.dataset, {
			index: this.index, shown: shown ? "1" : "0", level: picture?.level ?? "",
			full: this.top?.full ? "1" : "0", low: this.grey.low, high: this.grey.high, scale: this.ready ? this.map.scale : "",
			width: this.slice?.width ?? "", height: this.slice?.height ?? "",
		});
		this.busy.hidden = !this.asker.busy || (shown && this.top.full);
		if (!this.slice) return;
		const place = this.count > 1 ? `${this.indexTitle} ${this.index} of 0 to ${this.count - 1}, ` : "";
		const label = `${this.title}: ${place}${this.slice.width} by ${this.slice.height} pixels, black ${number(this.grey.low)}, white ${number(this.grey.high)}`
			+ (this.grey.invert ? ", inverted" : "");
		if (this.picture.getAttribute("aria-label") !== label) this.picture.setAttribute("aria-label", label);
	}

	draw() {
		if (!this.top) return this.showState(); // the pane is black by itself
		const context = this.picture.getContext("2d", { alpha: false });
		const ratio = this.picture.width / Math.max(1, this.pane.width);
		context.setTransform(1, 0, 0, 1, 0, 0);
		context.fillStyle = "#0d0f11";
		context.fillRect(0, 0, this.picture.width, this.picture.height);
		if (this.ready && this.grey.known) {
			const map = this.map;
			const layers = this.base && this.base !== this.top && this.base.index === this.top.index ? [this.base, this.top] : [this.top];
			for (const layer of layers) {
				if (this.dirty || layer.fresh !== this.grey) { paint(layer.picture, this.grey, layer.canvas); layer.fresh = this.grey; }
				const [x, y] = map.toScreen(layer.area[0], layer.area[1]);
				const [right, bottom] = map.toScreen(layer.area[2], layer.area[3]);
				context.imageSmoothingEnabled = !(layer.picture.level === 0 && map.scale * ratio > 1);
				context.imageSmoothingQuality = "high";
				context.drawImage(layer.canvas, x * ratio, y * ratio, (right - x) * ratio, (bottom - y) * ratio);
			}
			this.dirty = false;
		}
		this.drawMarks();
		this.showState();
	}

	drawMarks() {
		if (!this.top) return;
		const context = this.overlay.getContext("2d");
		const ratio = this.overlay.width / Math.max(1, this.pane.width);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, this.pane.width, this.pane.height);
		if (!this.ready) return;
		const map = this.map;
		for (const mark of this.marks) mark(context, map, this);
	}
}

let told = false;
function firstPicture() {
	if (told) return;
	told = true;
	requestAnimationFrame(() => setTimeout(() => { // by then it is on the screen
		document.documentElement.dataset.firstPicture = Math.round(performance.now());
		performance.mark("picture-shown");
		firstPainted();
	}, 0));
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) news.dispatchEvent(new Event("visible")); });
