// SPDX-License-Identifier: LGPL-3.0-or-later
// A slider with its number field and label; both are native inputs, so keys and screen readers work.

import { make, say } from "./dom.js";
import { plain } from "./format.js";

let made = 0;

export function slider({ title, low, high, step = 1, value, unit = "", onChange, name = "" }) {
	const id = "slider-" + ++made;
	const range = make("input", { type: "range", id, min: low, max: high, step, value, "aria-label": title, data: { name } });
	const field = make("input", { type: "number", id: id + "-field", min: low, max: high, step: "any", value: plain(value, 9),
		"aria-label": title + (unit ? " in " + unit : ""), data: { name } });
	const label = make("label", { htmlFor: id, text: title, class: "slider-title" });
	const after = make("span", { class: "unit", text: unit || (step === 1 && low === 0 ? `of 0–${high}` : "") });
	const root = make("div", { class: "slider" }, label, range, field, after);
	const clamp = (v) => Math.max(low, Math.min(high, v));
	let timer = 0;
	let typing = false;
	const show = (v) => {
		range.value = v;
		field.placeholder = plain(v, 9);
		if (!typing) field.value = plain(v, 9);
	};
	const settle = () => {
		clearTimeout(timer);
		typing = false;
		field.removeAttribute("aria-invalid");
	};
	let used = value;
	const use = (v) => {
		used = v;
		show(v);
		onChange?.(v);
	};
	const set = (v) => {
		settle();
		use(clamp(Number((Math.round((v - low) / step) * step + low).toPrecision(12))));
	};
	// A number typed by hand may be finer than a step. It counts after Enter or a rest, so half of a number does not.
	const typed = () => {
		clearTimeout(timer);
		if (!typing) return;
		const v = Number(field.value);
		const outside = field.value !== "" && !(v >= low && v <= high);
		if (outside) {
			field.setAttribute("aria-invalid", "true");
			say(`${title}: ${field.value} is not used, it must be from ${plain(low, 9)} to ${plain(high, 9)}.`);
		} else if (field.value !== "" && v !== used) use(step === 1 ? Math.round(v) : v);
	};
	range.addEventListener("input", () => set(Number(range.value)));
	field.addEventListener("input", () => {
		settle();
		typing = true;
		timer = setTimeout(typed, 600);
	});
	field.addEventListener("change", () => {
		typed();
		if (!field.hasAttribute("aria-invalid")) settle();
	});
	field.addEventListener("blur", () => { settle(); show(used); });
	const keys = (event) => { // arrows: one step; with Shift: ten steps
		const direction = { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
		const inField = event.target === field;
		if (!direction || event.ctrlKey || event.altKey || (inField && event.key.match(/Left|Right/))) return;
		event.preventDefault();
		set(Number(inField ? field.value : range.value) + direction * step * (event.shiftKey ? 10 : 1));
	};
	range.addEventListener("keydown", keys);
	field.addEventListener("keydown", keys);
	root.addEventListener("wheel", (event) => {
		if (event.ctrlKey || !root.contains(document.activeElement)) return;
		event.preventDefault();
		set(Number(range.value) + (event.deltaY > 0 ? 1 : -1) * step * (event.shiftKey ? 10 : 1));
	}, { passive: false });
	return { root, range, field, show: (v) => { used = v; show(v); } };
}
