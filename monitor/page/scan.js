// SPDX-License-Identifier: LGPL-3.0-or-later
// The panel that reconstructs one slice of a scan while sliders move.

import { make, button, card, row, factList, choiceRow, copyText, inTurn, setText, tell, say } from "./dom.js";
import { getJson, post } from "./ask.js";
import { View } from "./view.js";
import { Zoom } from "./zoom.js";
import { GreyWindow, histogramOf, valueOf } from "./grey.js";
import { GreyPanel } from "./greypanel.js";
import { Controls } from "./controls.js";
import { scaleBar } from "./marks.js";
import { goesOn } from "./live.js";
import { number } from "./format.js";
import { remember, recall, recallNumbers } from "./keep.js";

const hint = "Point at the picture to read its values.";

export class Scan {
	constructor(root, scan, { started }) {
		Object.assign(this, { root, scan, started, kept: null, mode: "single" });
		this.zoom = new Zoom("zoomt");
		this.zoom.within(scan.columns, scan.columns);
		this.grey = new GreyWindow();
		this.panel = new GreyPanel({ grey: this.grey, id: "t" });
		this.controls = new Controls(scan.parameters || [], () => this.changed());
		this.build();
	}

	build() {
		const first = recallNumbers("row", 1)?.[0] ?? this.scan.row;
		this.took = make("span", { class: "took", role: "status", title: "Time of the server", data: { took: "" } });
		this.view = this.makeView("trial", "Row", Math.max(0, Math.min(this.scan.rows - 1, Math.round(first))), this.scan.rows);
		this.view.bar.append(this.took);
		this.keptView = this.makeView("kept", "Kept", 0, 0);
		this.keptView.root.hidden = true;
		this.grid = make("div", { class: "views count-1 mode-single" }, make("div", { class: "cell cell-0" }, this.view.root, this.keptView.root));
		this.reading = make("p", { class: "reading", "aria-label": "Place and value", text: hint });
		this.modes = choiceRow("Compare with the kept one", [["single", "No"], ["side", "Side by side"], ["blink", "Blink", "Key B changes between the two"]], "single", (mode) => this.setMode(mode), { hidden: true, data: { choose: "trial-mode" } });
		this.back = button("Use the kept values", () => this.controls.setAll(this.kept.values), { hidden: true });
		this.failure = make("p", { class: "warning", role: "status", hidden: true });
		this.note = make("p", { class: "facts", role: "status", hidden: true, data: { note: "" } });
		const side = make("aside", { class: "side", "aria-label": "Settings" },
			card("Reconstruct one slice", "", this.failure, this.note, this.controls.root,
				row(button("Keep this one", () => this.keep(), { title: "Keep this picture to compare with later ones (key K)", data: { action: "keep" } }),
					button("Reset", () => this.controls.setAll(this.controls.defaults), { title: "All values as at first" }), this.back), this.modes),
			this.runCard(), this.panel.root,
			card("Scan", "about",
				factList([["Projections", this.scan.projections], ["Rows", this.scan.rows], ["Columns", this.scan.columns], ["Geometry", this.scan.geometry]])));
		this.root.replaceChildren(make("div", { class: "stage" }, this.grid, this.reading), side);
		this.changed();
	}

	makeView(name, title, index, count) {
		const view = new View({ name, title, zoom: this.zoom, grey: this.grey, index, count, indexTitle: "row",
			hooks: { whole: true, onIndex: (index) => { remember({ row: index }); this.nameKept(); }, onPainted: (picture, wish) => this.painted(picture, wish), onHover: (place) => this.hover(view, place) } });
		view.setSlice({ width: this.scan.columns, height: this.scan.columns });
		view.marks.push(scaleBar(() => [0, ""]));
		return view;
	}

	changed() {
		const query = this.controls.query;
		this.view.setSource(({ index, quick }) => `/trial?row=${index}&${query}${quick ? "&quick=1" : ""}`, "trial", query);
		this.confirm?.(false);
		this.nameKept();
	}

	painted(picture, wish) {
		if (this.pointer) this.hover(...this.pointer);
		this.panel.show(picture, true);
		if (!wish.quick) this.panel.take(histogramOf(picture));
		const { kept } = this;
		if (kept && !wish.quick && kept.picture.level > 0 && kept.variant === wish.variant && kept.row === wish.index) { // it was kept while coarse
			kept.picture = picture;
			this.keptView.put(picture);
		}
		const time = Number.isFinite(picture.milliseconds) ? number(picture.milliseconds, 3) + " ms" : "";
		setText(this.took, (this.view.top.full ? "took " : "coarse, ") + time);
	}

	hover(view, place) {
		const top = view.top;
		this.pointer = place && [view, place];
		const [h, v] = place || [];
		const { width, height } = view.slice;
		if (!top || !(h >= 0 && v >= 0 && h < width && v < height)) return setText(this.reading, hint);
		const { picture } = top;
		const q = picture.values[Math.floor((v / height) * picture.height) * picture.width + Math.floor((h / width) * picture.width)];
		setText(this.reading, `x ${Math.floor(h)}   y ${Math.floor(v)}   value ${q ? "≈ " + number(valueOf(picture, q), 4) : "not a number"}`);
	}

	keep() {
		if (!this.view.top) return;
		this.kept = { picture: this.view.top.picture, values: { ...this.controls.values }, row: this.view.index, variant: this.view.top.variant };
		this.keptView.put(this.kept.picture, { quick: true });
		this.modes.hidden = this.back.hidden = false;
		this.root.dataset.kept = "1";
		this.setMode(this.mode === "single" ? "side" : this.mode);
		this.nameKept();
		say("Kept. Change a parameter to compare.");
	}

	nameKept() {
		if (!this.kept) return;
		const differ = this.controls.parameters.map((p) => p.name).filter((name) => this.kept.values[name] !== this.controls.values[name]);
		const other = this.kept.row !== this.view.index ? `row ${this.kept.row} ` : "";
		this.keptView.setTitle("Kept" + (differ.length || other ? ": " + other + this.controls.tell(this.kept.values, differ, true) : ": the same values"));
		this.view.setTitle("Now" + (differ.length ? ": " + this.controls.tell(this.controls.values, differ, true) : ""));
	}

	setMode(mode) {
		this.mode = mode;
		this.modes.choose(mode);
		this.keptView.root.hidden = mode === "single";
		this.grid.className = `views count-1 mode-${mode}`;
		clearInterval(this.blinking);
		if (mode === "blink") this.blinking = inTurn(() => this.blink());
	}

	blink() { this.grid.classList.toggle("second"); }

	address(path) { return `${path}?row=${this.view.index}&${this.controls.query}`; }

	async copy(part, note) {
		try {
			const answer = await getJson(this.address("/trial/graph"));
			const text = answer[part];
			await copyText(typeof text === "string" ? text : JSON.stringify(text, null, 1), note);
		} catch (error) {
			say(error.message);
		}
	}

	runCard() {
		const output = make("input", { type: "text", id: "output", value: this.scan.output || "slices", spellcheck: "false", autocomplete: "off" });
		const line = make("p", { class: "confirm", role: "status" });
		const start = button("Start", () => this.run(output.value.trim()), { class: "main", data: { action: "start" } });
		const choice = row(start, button("Not now", () => this.confirm(false)));
		choice.hidden = true;
		this.startButton = start;
		this.runButton = button("Run …", () => this.confirm(true), { class: "main", data: { action: "run" } });
		this.confirm = (on) => {
			this.startError = "";
			this.showFailure();
			choice.hidden = !on;
			this.runButton.hidden = on;
			setText(line, on ? `All ${this.scan.rows} rows go into the folder “${output.value.trim()}”, with ${this.controls.tell(this.controls.values, this.controls.parameters.map((p) => p.name).filter((name, i) => !i || this.controls.touched.has(name)))}.` : "");
			if (on) start.focus();
		};
		output.addEventListener("input", () => this.confirm(false));
		return card("Whole volume", "",
			make("label", { class: "field", htmlFor: "output" }, "Folder for the slices", output), line, choice,
			row(this.runButton,
				button("Copy command", () => this.copy("command", "Copied the command for a shell."), { data: { action: "copy-command" } }),
				button("Copy graph file", () => this.copy("graph", "Copied the graph, as JSON for a file."), { data: { action: "copy-graph" } })));
	}

	async run(output) {
		if (!output) return say("Please name a folder.");
		this.startButton.disabled = true;
		try {
			const answer = await post("/trial/run", { values: this.controls.values, output });
			say("The run has started. Slices go to " + (answer.output || output));
			this.confirm(false);
			this.started();
		} catch (error) {
			this.startError = error.message;
			this.showFailure();
		}
		this.startButton.disabled = false;
	}

	begin() {
		if (this.begun) return;
		this.begun = true;
		this.view.measure();
	}

	update(state) {
		const busy = goesOn(state.run);
		this.runButton.disabled = busy || Boolean(state.scan?.error);
		this.runButton.title = busy ? "A run is going on" : "Reconstruct all rows with these values";
		this.error = state.scan?.error;
		if (busy) this.startError = "";
		this.showFailure();
		const found = this.controls.adopt(state.scan?.parameters || []);
		if (found.length) this.found = `Found meanwhile: ${this.controls.tell(this.controls.values, found)}.`;
		if (found.length) say(this.found);
		tell(this.note, state.scan?.note || this.found);
	}

	showFailure() { tell(this.failure, this.error || this.startError); }

	key(name) {
		if (name === "k") this.keep();
		else if (name === "b" && this.kept) {
			if (this.mode !== "blink") this.setMode("blink");
			else { clearInterval(this.blinking); this.blink(); }
		} else if (name === "i") this.grey.setInvert(!this.grey.invert);
		else return false;
		return true;
	}
}
