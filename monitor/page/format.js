// SPDX-License-Identifier: LGPL-3.0-or-later
// Numbers as text for people.

export function number(value, digits = 5) {
	if (value === null || value === undefined || Number.isNaN(value)) return "–";
	if (!Number.isFinite(value)) return value > 0 ? "infinite" : "−infinite";
	if (value === 0) return "0";
	const size = Math.abs(value);
	if (size >= 1e7 || size < 1e-4) return minus(value.toExponential(digits - 1).replace(/\.?0+e/, "e"));
	const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
	return minus(places ? value.toFixed(Math.min(places, 12)).replace(/\.?0+$/, "") : value.toFixed(0));
}

const minus = (text) => text.replace(/^-/, "−");

// Number of digits that tells values of this range apart.
export const digitsOf = (low, high, least = 5) =>
	(low < high ? Math.max(least, Math.min(15, 4 + Math.ceil(Math.log10(Math.max(-low, high) / (high - low))))) : least);

// Whole percent of a share; 100 only when all is done.
export const percent = (share) => Math.floor(100 * Math.max(0, Math.min(1, share || 0)) + 1e-9);

// The same for number fields.
export const plain = (value, digits = 5) => (Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "");

const sizes = ["B", "kB", "MB", "GB", "TB", "PB"];
export function bytes(value) {
	if (!Number.isFinite(value)) return "–";
	let step = 0;
	while (value >= 999.5 && step < sizes.length - 1) { value /= 1000; ++step; }
	return (step && value < 99.5 ? value.toPrecision(value < 9.95 ? 2 : 3).replace(/\.0$/, "") : value.toFixed(0)) + " " + sizes[step];
}

// Rates are always in MB/s, so that nodes compare at a glance.
export function rate(bytesPerSecond) {
	const value = (bytesPerSecond || 0) / 1e6;
	return (value >= 99.5 ? value.toFixed(0) : value >= 9.95 ? value.toFixed(1) : value.toFixed(2)) + " MB/s";
}

export function seconds(value) {
	if (value === null || value === undefined || !Number.isFinite(value)) return "–";
	if (value < 10) return value.toFixed(1) + " s";
	const whole = Math.round(value);
	if (whole < 60) return whole + " s";
	const two = (n) => String(n).padStart(2, "0");
	const minutes = Math.floor(whole / 60);
	if (minutes < 60) return minutes + " min " + two(whole % 60) + " s";
	return Math.floor(minutes / 60) + " h " + two(minutes % 60) + " min";
}

const metres = { nm: 1e-9, um: 1e-6, "µm": 1e-6, mm: 1e-3, cm: 1e-2, m: 1 };
const nice = [["m", 1], ["mm", 1e-3], ["µm", 1e-6], ["nm", 1e-9]];

// The unit in which a length reads best, and the factor to it: 0.00325 mm is 3.25 µm.
export function bestUnit(value, unit) {
	const factor = metres[unit];
	if (!factor) return [unit, 1];
	const size = Math.abs(value * factor);
	const [name, scale] = nice.find(([, s]) => size >= 0.9999 * s) || nice[size ? 3 : 1];
	return [name, factor / scale];
}

export function length(value, unit, digits = 4) {
	const [name, factor] = bestUnit(value, unit);
	return number(value * factor, digits) + (name ? " " + name : "");
}

// The largest 1, 2 or 5 times a power of ten that is not above the value.
export function roundDown(value) {
	const power = 10 ** Math.floor(Math.log10(value));
	const first = value / power;
	return power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
}

// Whole marks for an axis of a graph.
export function ticks(low, high, wanted = 5) {
	if (!(high > low)) return [low];
	const rough = (high - low) / wanted;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = power * [1, 2, 5, 10].find((n) => n * power >= rough * 0.9999);
	const marks = [];
	for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) marks.push(Math.abs(at) < step * 1e-9 ? 0 : at);
	return marks;
}
