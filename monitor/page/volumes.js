// SPDX-License-Identifier: LGPL-3.0-or-later
// The panel that shows volumes: linked views, one volume or two compared.

import { make, button, card, row, choiceRow, inTurn } from "./dom.js";
import { View } from "./view.js";
import { Zoom } from "./zoom.js";
import { GreyWindow, valueOf } from "./grey.js";
import { GreyPanel } from "./greypanel.js";
import { Profile } from "./profile.js";
import { Reading } from "./reading.js";
import { crosshair, scaleBar, profileLine } from "./marks.js";
import { remember, recall, recallNumbers, recallOne } from "./keep.js";
import { about, sliceName, shape } from "./about.js";

const sides = [[2, 1], [2, 0], [1, 0]]; // for slices along z, y, x: which axes run across and down

export class Volumes {
	constructor(root, volumes) {
		Object.assign(this, { root, volumes, views: [] });
		const find = (name) => Math.max(0, volumes.findIndex((v) => String(v.number) === recall(name)));
		this.a = find("volume");
		this.b = recall("with") ? find("with") : volumes.length > 1 ? (this.a ? 0 : 1) : null;
		this.mode = volumes.length > 1 ? recallOne("mode", ["single", "side", "minus", "blink"]) || "single" : "single";
		const flat = this.volume.extents.indexOf(1); // a single slice
		this.usual = flat >= 0 ? String(flat) : this.volume.kind === "slices" ? "all" : "0";
		this.show = recallOne("show", ["all", "0", "1", "2"]) || this.usual;
		this.separate = recall("separate") === "1";
		const at = recallNumbers("at", 3);
		this.at = at ? this.clamp(at) : this.volume.extents.map((n) => Math.floor(n / 2));
		this.lead = this.show === "all" ? 0 : Number(this.show);
		this.zooms = [0, 1, 2].map((axis) => new Zoom("zoom" + axis));
		this.makeParts();
		this.build();
		if (this.profile.on) this.profile.set(true);
	}

	end() {
		for (const part of [...this.views, ...Object.values(this.panels)]) part.end();
		this.stopBlink();
	}

	get volume() { return this.volumes[this.a]; }
	get other() { return this.volumes[this.b]; }
	clamp(at) { return at.map((n, i) => Math.max(0, Math.min(this.volume.extents[i] - 1, Math.round(n)))); }

	makeParts() {
		this.greys = { a: new GreyWindow(), b: new GreyWindow(), minus: new GreyWindow() };
		this.panels = {
			a: new GreyPanel({ grey: this.greys.a, id: "" }),
			b: new GreyPanel({ grey: this.greys.b, id: "2", title: "Grey window of the second" }),
			minus: new GreyPanel({ grey: this.greys.minus, id: "d", title: "Grey window of the difference", symmetric: true }),
		};
		this.profile = new Profile({
			series: (axis) => this.shownVolumes().map((volume) => ({ title: volume.title,
				address: (from, to) => `/profile?volume=${volume.number}&axis=${axis}&index=${this.at[axis]}&from=${from}&to=${to}${this.minus}` })),
			size: (axis) => [this.volume.pixel[sides[axis][0]] === this.volume.pixel[sides[axis][1]] ? this.volume.pixel[sides[axis][0]] : 0, this.volume.unit],
			shown: () => [this.lead, 0, 1, 2].filter((axis) => this.views.some((view) => view.axis === axis)),
			limits: (axis) => sides[axis].map((side) => this.volume.extents[side]),
			changed: () => { this.profileButton?.setAttribute("aria-pressed", String(this.profile.on)); this.useTool(); this.marks(); },
		});
		this.reading = new Reading();
		this.grid = make("div", { class: "views" });
		this.side = make("aside", { class: "side", "aria-label": "Settings" });
		this.root.replaceChildren(make("div", { class: "stage" }, this.grid, this.profile.root, this.reading.root), this.side);
	}

	begin() {
		if (this.begun) return;
		this.begun = true;
		(this.views.find((view) => view.axis === this.lead) || this.views[0]).measure();
	}

	get minus() { return this.mode === "minus" ? "&minus=" + this.other.number : ""; }
	get pair() { return this.mode === "side" || this.mode === "blink"; }
	shownVolumes() { return this.pair ? [this.volume, this.other] : [this.volume]; }
	greyOf(which) { return this.mode === "minus" ? "minus" : which === 1 && this.separate ? "b" : "a"; }

	// Makes the views anew: after a change of volume, mode or layout.
	build() {
		if (this.mode === "minus" && shape(this.volume) !== shape(this.other)) this.mode = "side";
		const focus = this.focused();
		for (const view of this.views) view.end();
		this.views = [];
		this.pointer = null;
		this.at = this.clamp(this.at);
		this.zooms.forEach((zoom, axis) => zoom.within(...sides[axis].map((side) => this.volume.extents[side])));
		const axes = this.show === "all" && this.mode !== "side" ? [0, 1, 2] : [this.show === "all" ? 0 : Number(this.show)];
		this.grid.className = `views count-${axes.length} mode-${this.mode}`;
		this.grid.replaceChildren();
		for (const axis of axes) {
			const cell = make("div", { class: "cell cell-" + axis });
			this.grid.append(cell);
			this.shownVolumes().forEach((volume, which) => cell.append(this.addView(axis, volume, which).root));
		}
		this.useTool();
		this.buildSide();
		if (this.begun) for (const view of this.views) view.measure();
		this.keep();
		this.readCrosshair();
		this.profile.settle();
		if (focus) this.root.querySelector(focus)?.focus();
		if (this.mode === "blink") this.startBlink(); else this.stopBlink();
	}

	// How to find again what has the keyboard, after it was made anew.
	focused() {
		const now = document.activeElement;
		if (!this.root.contains(now)) return null;
		if (now.matches(".picture")) return ".picture";
		const marked = now.closest("[data-choose], [data-pick], [data-action]");
		const name = marked && ["choose", "pick", "action"].find((one) => one in marked.dataset);
		return name ? `[data-${name}="${marked.dataset[name]}"]` + (name === "choose" ? " input:checked" : "") : null;
	}

	addView(axis, volume, which) {
		const [across, down] = sides[axis];
		const minus = this.minus;
		const view = new View({
			name: `${which ? "b" : "a"}${axis}`, title: sliceName(volume, axis) + (this.pair ? " · " + volume.title : minus ? " · difference" : ""),
			zoom: this.zooms[axis], grey: this.greys[this.greyOf(which)], index: Math.min(this.at[axis], volume.extents[axis] - 1), count: volume.extents[axis],
			indexTitle: volume.axes[axis],
			hooks: {
				onIndex: (index) => this.go(axis, index),
				onPick: (h, v) => this.pick(axis, h, v),
				onHover: (place) => this.hover(view, place),
				onPainted: (picture, wish) => this.painted(view, picture, wish),
			},
		});
		Object.assign(view, { axis, volume, which });
		Object.assign(view.root.dataset, { axis, volume: volume.number });
		const size = volume.pixel;
		const smallest = Math.min(size[across], size[down]);
		const known = smallest > 0 && volume.unit !== "";
		view.marks.push(
			crosshair(() => (this.views.length > this.shownVolumes().length ? [this.at[across] + 0.5, this.at[down] + 0.5] : null)),
			scaleBar(() => [size[across], size[across] > 0 ? volume.unit : ""]),
			profileLine(() => (this.profile.on && this.profile.axis === axis ? this.profile.ends : null)));
		this.views.push(view);
		view.setSlice({ width: volume.extents[across], height: volume.extents[down], levels: Math.max(1, volume.levels || 1),
			across: known ? size[across] / smallest : 1, down: known ? size[down] / smallest : 1 });
		view.setSource(({ index, level, box, quick }) => `/picture?volume=${volume.number}&axis=${axis}&index=${index}&level=${level}&box=${box}${quick ? "&quick=1" : ""}${minus}`,
			`${volume.number}/${axis}${minus}`);
		return view;
	}

	go(axis, index) {
		this.lead = axis;
		this.at[axis] = Math.min(index, this.volume.extents[axis] - 1);
		for (const view of this.views) if (view.axis === axis) view.setIndex(index, { tell: false });
		this.moved();
		if (this.profile.axis === axis) this.profile.ask();
	}

	pick(axis, h, v) {
		const [across, down] = sides[axis];
		const at = [...this.at];
		at[across] = Math.floor(h);
		at[down] = Math.floor(v);
		this.at = this.clamp(at);
		for (const view of this.views) if (view.axis !== axis) view.setIndex(this.at[view.axis], { tell: false });
		this.moved();
	}

	moved() {
		this.marks();
		this.keep();
		if (this.pointer) this.hover(...this.pointer);
		else this.readCrosshair();
	}

	marks() { for (const view of this.views) view.marksSoon(); }
	useTool() { for (const view of this.views) { view.tool = this.profile.on ? this.profile.tool : null; view.frame.classList.toggle("drawing", this.profile.on); } }

	painted(view, picture, wish) {
		if (view.axis !== this.lead && this.views.some((one) => one.axis === this.lead)) return;
		const name = this.greyOf(view.which);
		if (view.which === 1 && name === "a") return;
		this.panels[name].show(view.top.picture, view.top.whole);
		if (!wish.quick || picture.full) this.panels[name].ask(`/histogram?volume=${view.volume.number}&axis=${view.axis}&index=${wish.index}${this.minus}`);
	}

	hover(view, place) {
		this.pointer = place && [view, place];
		if (!place) return this.readCrosshair();
		const [across, down] = sides[view.axis];
		const at = [...this.at];
		at[view.axis] = view.index;
		at[across] = Math.floor(place[0]);
		at[down] = Math.floor(place[1]);
		if (at.some((n, i) => n < 0 || n >= view.volume.extents[i])) return this.reading.forget();
		this.read(view, at);
	}

	readCrosshair() { if (this.views.length) this.read(this.views[0], this.at); }

	read(view, at) {
		const { axes, pixel, unit, number } = view.volume;
		const [across, down] = sides[view.axis];
		const top = view.top;
		let rough = null;
		if (top && top.index === at[view.axis]) {
			const side = 2 ** top.picture.level;
			const x = Math.floor((at[across] - top.area[0]) / side);
			const y = Math.floor((at[down] - top.area[1]) / side);
			if (x >= 0 && y >= 0 && x < top.picture.width && y < top.picture.height) rough = valueOf(top.picture, top.picture.values[y * top.picture.width + x]);
		}
		this.reading.show({ place: at, axes, pixel, unit, rough, address: `/value?volume=${number}&at=${at}${this.minus}`,
			title: this.mode === "minus" ? "difference" : this.pair ? view.volume.title : "value" });
	}

	buildSide() {
		const { axes } = this.volume;
		const cards = [];
		const pickOne = (label, value, onChange) => make("label", { class: "field" }, label,
			make("select", { on: { change: (event) => onChange(Number(event.target.value)) }, data: { pick: label } },
				...this.volumes.map((v, i) => { const o = make("option", { value: i, text: v.title }); o.selected = i === value; return o; })));
		const top = card("Show", "");
		if (this.volumes.length > 1) {
			const equal = shape(this.volume) === shape(this.other);
			top.append(pickOne("Volume", this.a, (i) => { if (i === this.b) this.b = this.a; this.a = i; this.panels.a.renew = true; this.build(); }),
				choiceRow("Compare", [["single", "One", "Only this volume"], ["side", "Side by side", "Two volumes with the same slice and zoom"],
					...(equal ? [["minus", "Difference", "This volume minus the second one"]] : []), ["blink", "Blink", "The two volumes in turn; key B changes by hand"]],
				this.mode, (mode) => { this.mode = mode; this.build(); }, { data: { choose: "mode" } }));
			if (this.mode !== "single") top.append(pickOne("Second", this.b, (i) => { if (i === this.a) this.a = this.b; this.b = i; this.build(); }));
			if (this.pair) top.append(make("label", { class: "check" }, make("input", { type: "checkbox", checked: this.separate, data: { action: "separate" },
				on: { change: (event) => { this.separate = event.target.checked; this.build(); } } }), "Each volume has its own grey window"));
			if (!equal && this.mode !== "single") top.append(make("p", { class: "facts", text: "The volumes differ in size, so there is no difference of them." }));
		}
		const one = this.show === "all" && this.mode === "side";
		top.append(choiceRow("Slices along", [...(this.mode === "side" ? [] : [["all", "All three"]]), ...axes.map((name, i) => [String(i), name])],
			one ? "0" : this.show, (show) => { this.show = show; this.lead = show === "all" ? 0 : Number(show); this.build(); }, { data: { choose: "show" } }));
		this.profileButton = button("Profile", () => this.profile.set(!this.profile.on), { "aria-pressed": String(this.profile.on), title: "Draw a line, see the values along it (key P)", data: { action: "profile" } });
		top.append(row(this.profileButton, button("Whole slice", () => this.zooms.forEach((zoom) => zoom.fit()), { title: "Key 0 or double click", data: { action: "fit" } })));
		cards.push(top);
		cards.push(this.panels[this.greyOf(0)].root);
		if (this.pair && this.separate) cards.push(this.panels.b.root);
		this.panels.a.setTitle(this.pair && this.separate ? "Grey window of the first" : "Grey window");
		for (const volume of this.shownVolumes()) cards.push(about(volume));
		this.side.replaceChildren(...cards);
	}

	startBlink() {
		this.stopBlink();
		this.blinking = inTurn(() => this.blink());
	}
	stopBlink() { clearInterval(this.blinking); this.grid.classList.remove("second"); }
	blink() { this.grid.classList.toggle("second"); }

	key(name) {
		if (name === "p") this.profile.set(!this.profile.on);
		else if (name === "i") this.greys[this.greyOf(0)].setInvert(!this.greys[this.greyOf(0)].invert);
		else if (name === "b" && this.mode === "blink") { clearInterval(this.blinking); this.blink(); }
		else if (name === "b" && this.volumes.length > 1) { this.mode = "blink"; this.build(); }
		else if ("1234".includes(name)) { this.show = name === "4" ? "all" : String(Number(name) - 1); this.lead = name === "4" ? 0 : Number(this.show); this.build(); }
		else return false;
		return true;
	}

	keep() {
		remember({ at: this.at, show: this.show === this.usual ? null : this.show, volume: this.a ? this.volume.number : null,
			with: this.mode !== "single" ? this.other.number : null, mode: this.mode === "single" ? null : this.mode, separate: this.separate ? 1 : null });
	}
}
