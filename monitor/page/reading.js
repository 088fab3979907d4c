// SPDX-License-Identifier: LGPL-3.0-or-later
// The line that tells the place and the value under the pointer.

import { make, setText } from "./dom.js";
import { Asker, getJson } from "./ask.js";
import { number, length } from "./format.js";

export class Reading {
	constructor() {
		this.where = make("span", { class: "where" });
		this.size = make("span", { class: "size" });
		this.value = make("span", { class: "value", data: { reading: "" } });
		this.root = make("p", { class: "reading", "aria-label": "Place and value" }, this.where, this.size, this.value);
		this.known = new Map(); // exact values that were asked lately
		this.asker = new Asker(getJson, (result, wish) => this.take(result, wish), (error, wish) => { if (wish.address === this.address) setText(this.value, error.message); });
	}

	// place: [z, y, x] whole numbers; rough: value of the picture
	show({ place, axes, pixel, unit, rough, address, title = "" }) {
		setText(this.where, axes.map((name, i) => `${name} ${place[i]}`).join("   "));
		const sizes = axes.map((name, i) => (unit && pixel[i] > 0 ? length(place[i] * pixel[i], unit) : null)).filter(Boolean);
		setText(this.size, sizes.length ? "(" + sizes.join(", ") + ")" : "");
		this.address = address;
		this.title = title;
		this.root.dataset.place = place.join(",");
		if (this.known.has(address)) return this.write(this.known.get(address), true);
		this.write(Number.isNaN(rough) ? "not a number" : rough === null ? "" : number(rough, 4), false);
		if (address) this.asker.ask({ address });
	}

	take(result, wish) {
		const text = result.value === null ? (result.text === "nan" || !result.text ? "not a number" : result.text) : number(result.value, Math.abs(result.value) < 1e5 ? 7 : 9);
		if (this.known.size > 400) this.known.clear();
		this.known.set(wish.address, text);
		if (wish.address === this.address) this.write(text, true);
	}

	write(text, exact) {
		setText(this.value, text ? (this.title ? this.title + " " : "") + (exact ? "= " : "≈ ") + text : "");
		this.value.dataset.exact = exact ? "1" : "0";
	}

	forget() {
		this.address = "";
		setText(this.where, "");
		setText(this.size, "");
		setText(this.value, "");
	}
}
