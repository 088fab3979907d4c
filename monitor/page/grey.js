// SPDX-License-Identifier: LGPL-3.0-or-later
// The grey window: which values are black and white, and the painting of a picture with it.

import { digitsOf } from "./format.js";

export const notNumber = [214, 40, 120]; // colour of pixels that are not a number, as named in the legend

export class GreyWindow {
	constructor() {
		Object.assign(this, { low: NaN, high: NaN, invert: false, listeners: new Set() });
	}

	get known() { return this.high > this.low; }

	set(low, high) {
		if (!Number.isFinite(low) || !Number.isFinite(high)) return;
		if (!(high > low)) high = low + Math.max(Math.abs(low) * 1e-6, 1e-12);
		const digits = digitsOf(low, high, 9); // as they are kept in the address
		[low, high] = [Number(low.toPrecision(digits)), Number(high.toPrecision(digits))];
		if (low === this.low && high === this.high) return;
		this.low = low;
		this.high = high;
		this.tell();
	}

	setInvert(invert) {
		this.invert = invert;
		this.tell();
	}

	tell() { for (const listener of this.listeners) listener(this); }
}

export const valueOf = (picture, q) => (q === 0 ? NaN : picture.low + ((q - 1) / 65534) * (picture.high - picture.low));

// A table from the picture's 65536 values to colours on the screen.
const table = new Uint32Array(65536);
const tint = (grey) => 0xff000000 | (grey << 16) | (grey << 8) | grey;

function fillTable(picture, grey) {
	const span = picture.high - picture.low || 1;
	const first = ((grey.low - picture.low) / span) * 65534 + 1;
	const last = ((grey.high - picture.low) / span) * 65534 + 1;
	const dark = grey.invert ? 255 : 0;
	const from = Math.max(1, Math.min(65536, Math.ceil(first)));
	const to = Math.max(from, Math.min(65536, Math.floor(last) + 1));
	table.fill(tint(dark), 1, from);
	const slope = 255.999 / (last - first || 1);
	for (let q = from; q < to; ++q) {
		const shade = Math.max(0, Math.min(255, ((q - first) * slope) | 0));
		table[q] = tint(grey.invert ? 255 - shade : shade);
	}
	table.fill(tint(255 - dark), to, 65536);
	table[0] = 0xff000000 | (notNumber[2] << 16) | (notNumber[1] << 8) | notNumber[0];
}

// Paints the picture into a canvas of its own size.
export function paint(picture, grey, canvas) {
	const { width, height, values } = picture;
	if (canvas.width !== width || canvas.height !== height) {
		canvas.width = width;
		canvas.height = height;
		canvas.image = null;
	}
	const context = canvas.getContext("2d", { alpha: false });
	canvas.image ||= context.createImageData(width, height);
	const pixels = new Uint32Array(canvas.image.data.buffer);
	fillTable(picture, grey);
	for (let i = 0; i < values.length; ++i) pixels[i] = table[values[i]];
	context.putImageData(canvas.image, 0, 0);
}

// Counts of the picture's values between two values.
export function counts(picture, low, high, bins = 256) {
	const result = new Array(bins).fill(0);
	const scale = (picture.high - picture.low) / 65534;
	const factor = bins / (high - low || 1);
	for (const q of picture.values) {
		if (!q) continue;
		const bin = Math.floor((picture.low + (q - 1) * scale - low) * factor);
		if (bin >= 0 && bin < bins) ++result[bin];
	}
	return result;
}

// The value below which `percent` of the picture's finite pixels are; a fast estimate for the first moment.
export function percentiles(picture, percents) {
	const seen = new Uint32Array(65536);
	const every = Math.max(1, Math.floor(picture.values.length / 250000));
	let total = 0;
	for (let i = 0; i < picture.values.length; i += every) {
		const q = picture.values[i];
		if (q) { ++seen[q]; ++total; }
	}
	return percents.map((percent) => {
		let left = (total * percent) / 100;
		for (let q = 1; q < 65536; ++q) if ((left -= seen[q]) <= 0 && seen[q]) return valueOf(picture, q);
		return picture.high;
	});
}

// The same facts as the server's histogram, from the picture's values.
export function histogramOf(picture) {
	let [sum, squares, finite] = [0, 0, 0];
	for (const q of picture.values) if (q) { sum += q; squares += q * q; ++finite; }
	const scale = (picture.high - picture.low) / 65534;
	const mean = sum / (finite || 1);
	const shares = [0.1, 1, 5, 50, 95, 99, 99.9];
	const values = percentiles(picture, shares);
	return { low: picture.low, high: picture.high, counts: counts(picture, picture.low, picture.high),
		percentiles: Object.fromEntries(shares.map((share, i) => [String(share), values[i]])), mean: picture.low + (mean - 1) * scale,
		deviation: Math.sqrt(Math.max(0, squares / (finite || 1) - mean * mean)) * scale, pixels: picture.values.length, "not-finite": picture.values.length - finite };
}
