// SPDX-License-Identifier: LGPL-3.0-or-later
// A slider with its number field and label; both are native inputs, so keys and screen readers work.

import { make } from "./dom.js";
import { plain } from "./format.js";

let made = 0;

export function slider({ title, low, high, step = 1, value, unit = "", onChange, name = "" }) {
	const id = "slider-" + ++made;
	const range = make("input", { type: "range", id, min: low, max: high, step, value, "aria-label": title, data: { name } });
	const field = make("input", { type: "number", id: id + "-field", min: low, max: high, step: "any", value: plain(value, 9),
		"aria-label": title + (unit ? " in " + unit : ""), data: { name } });
	const label = make("label", { htmlFor: id, text: title, class: "slider-title" });
	const after = make("span", { class: "unit", text: unit || (step === 1 && low === 0 ? "/ " + high : "") });
	const root = make("div", { class: "slider" }, label, range, field, after);
	const clamp = (v) => Math.max(low, Math.min(high, v));
	const set = (v, tell) => {
		v = clamp(Number((Math.round((v - low) / step) * step + low).toPrecision(12)));
		range.value = v;
		field.placeholder = plain(v, 9);
		if (document.activeElement !== field || tell === "key") field.value = plain(v, 9);
		if (tell) onChange?.(v);
	};
	range.addEventListener("input", () => set(Number(range.value), true));
	field.addEventListener("input", () => { // a number typed by hand may be finer than a step
		const v = Number(field.value);
		if (field.value === "" || !Number.isFinite(v) || v < low || v > high) return;
		range.value = v;
		onChange?.(step === 1 ? Math.round(v) : v);
	});
	field.addEventListener("change", () => {
		if (field.value === "") return; // stays empty, the value is seen as a hint
		const v = clamp(Number(field.value));
		field.value = plain(v, 9);
		range.value = v;
		onChange?.(step === 1 ? Math.round(v) : v);
	});
	const keys = (event) => { // arrows: one step; with Shift: ten steps
		const direction = { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
		const inField = event.target === field;
		if (!direction || event.ctrlKey || event.altKey || (inField && event.key.match(/Left|Right/))) return;
		event.preventDefault();
		set(Number(inField ? field.value : range.value) + direction * step * (event.shiftKey ? 10 : 1), "key");
	};
	range.addEventListener("keydown", keys);
	field.addEventListener("keydown", keys);
	root.addEventListener("wheel", (event) => {
		if (event.ctrlKey || !root.contains(document.activeElement)) return;
		event.preventDefault();
		set(Number(range.value) + (event.deltaY > 0 ? 1 : -1) * step * (event.shiftKey ? 10 : 1), "key");
	}, { passive: false });
	return {
		root, range, field,
		show: (v) => { range.value = v; field.placeholder = plain(v, 9); if (document.activeElement !== field) field.value = plain(v, 9); },
		get value() { return Number(field.value); },
	};
}
