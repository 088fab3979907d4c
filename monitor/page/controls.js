// SPDX-License-Identifier: LGPL-3.0-or-later
// Controls for the parameters of a reconstruction, made from the server's list.

import { make } from "./dom.js";
import { slider } from "./slider.js";
import { plain } from "./format.js";
import { remember, recall } from "./keep.js";

export class Controls {
	constructor(parameters, changed) {
		this.parameters = parameters;
		this.values = {};
		this.touched = new Set(); // by hand, or kept in the address
		this.parts = {};
		this.defaults = {};
		this.shows = {};
		this.root = make("div", { class: "controls" });
		this.changed = changed;
		for (const parameter of parameters) this.add(parameter);
		this.showNeeded();
	}

	add(parameter) {
		const { name, type, low, high, choices } = parameter;
		this.defaults[name] = parameter.value;
		const kept = recall("p." + name);
		const value = type === "number" ? Number(kept) : type === "flag" ? kept === "true" : kept;
		const good = kept && (type === "number" ? value >= low && value <= high : choices?.includes(value) ?? true);
		this.values[name] = good ? value : parameter.value;
		if (good) this.touched.add(name);
		const control = this[type]?.(parameter);
		if (!control) return;
		if (parameter.fast === false) (control.querySelector(".slider-title") || control).append(make("span", { class: "slow", text: " slower", title: "A change of this needs more time" }));
		this.parts[name] = control;
		this.root.append(control);
	}

	// What phase retrieval wants to know is shown with it.
	showNeeded() {
		for (const name of ["energy", "distance", "pixel-size", "delta-beta"]) if (this.parts[name]) this.parts[name].hidden = this.values.phase === false;
	}

	// Takes over what the server has found meanwhile; returns the names of values in use that have changed.
	adopt(parameters) {
		const names = parameters.filter(({ name, value }) => name in this.defaults && this.defaults[name] !== value).map(({ name, value }) => {
			this.defaults[name] = value;
			return name;
		});
		const free = names.filter((name) => !this.touched.has(name));
		if (free.length) this.setAll(Object.fromEntries(free.map((name) => [name, this.defaults[name]])));
		return free;
	}

	set(name, value) {
		this.values[name] = value;
		this.touched.add(name);
		this.showNeeded();
		remember({ ["p." + name]: value === this.defaults[name] ? null : value });
		this.changed(name);
	}

	number({ name, title, low, high, step, unit }) {
		const one = slider({ title, low, high, step: step || (high - low) / 200 || 1, value: this.values[name], unit: unit || " ", name, onChange: (value) => this.set(name, value) });
		this.shows[name] = one.show;
		one.root.classList.add("tall");
		return one.root;
	}

	choice({ name, title, choices }) {
		const select = make("select", { data: { name }, on: { change: () => this.set(name, select.value) } }, ...choices.map((text) => make("option", { value: text, text })));
		select.value = this.values[name];
		this.shows[name] = (value) => { select.value = value; };
		return make("label", { class: "field" }, title, select);
	}

	flag({ name, title }) {
		const box = make("input", { type: "checkbox", checked: this.values[name], data: { name }, on: { change: () => this.set(name, box.checked) } });
		this.shows[name] = (value) => { box.checked = value; };
		return make("label", { class: "check field" }, box, title);
	}

	// Sets all values, e.g. those of a kept picture.
	setAll(values) {
		Object.assign(this.values, values);
		for (const [name, value] of Object.entries(this.values)) {
			this.shows[name]?.(value);
			remember({ ["p." + name]: value === this.defaults[name] ? null : value });
		}
		this.showNeeded();
		this.changed();
	}

	get query() { return new URLSearchParams(this.values).toString(); }

	// "Rotation axis 131.5 columns, Filter ramp" of these parameters; short: "axis 131.5, filter ramp"
	tell(values, names, short = false) {
		return this.parameters.filter(({ name }) => names.includes(name)).map(({ name, title, type, unit }) => {
			const value = values[name];
			const text = type === "flag" ? (value ? "yes" : "no") : type === "number" ? plain(value, 7) : value;
			return short ? `${name} ${text}` : `${title}${type === "flag" ? ":" : ""} ${text}${unit ? " " + unit : ""}`;
		}).join(", ");
	}
}
