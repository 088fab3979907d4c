// SPDX-License-Identifier: LGPL-3.0-or-later
// Marks over a picture: crosshair, scale bar, profile line.

import { length, roundDown } from "./format.js";

const accent = "#6cc0ff";

function line(context, x0, y0, x1, y1) {
	context.beginPath();
	context.moveTo(x0, y0);
	context.lineTo(x1, y1);
	context.stroke();
}

// where(): [h, v] in pixels of the slice (edges at whole numbers), or null. The middle stays open to see what is there.
export const crosshair = (where) => (context, map, view) => {
	const place = where(view);
	if (!place) return;
	const [x, y] = map.toScreen(...place);
	const { width, height } = view.pane;
	context.strokeStyle = accent;
	context.globalAlpha = 0.75;
	context.lineWidth = 1;
	const gap = 9;
	const half = (value) => Math.round(value) + 0.5;
	if (y >= 0 && y <= height) { line(context, 0, half(y), x - gap, half(y)); line(context, x + gap, half(y), width, half(y)); }
	if (x >= 0 && x <= width) { line(context, half(x), 0, half(x), y - gap); line(context, half(x), y + gap, half(x), height); }
	context.globalAlpha = 1;
};

// A bar of a round length; size(): [length of one pixel across, unit] or null when it is unknown.
export const scaleBar = (size) => (context, map, view) => {
	const [pixel, unit] = size(view) || [0, ""];
	const one = pixel > 0 && unit ? pixel : 1;
	const reach = Math.min(160, view.pane.width / 3);
	if (reach < 40) return;
	const value = roundDown((reach / map.kh) * one);
	const pixels = (value / one) * map.kh;
	const text = pixel > 0 && unit ? length(value, unit) : value >= 1 ? value + (value === 1 ? " pixel" : " pixels") : "";
	if (!text || pixels > view.pane.width) return;
	const x = view.pane.width - 12 - pixels / 2 - Math.max(pixels, 70) / 2;
	const y = view.pane.height - 12;
	const wide = Math.max(pixels, 70) + 12;
	context.fillStyle = "rgba(0,0,0,0.55)";
	context.fillRect(x + pixels / 2 - wide / 2, y - 24, wide, 30);
	context.strokeStyle = "#fff";
	context.lineWidth = 1.5;
	context.beginPath();
	context.moveTo(x, y - 4);
	context.lineTo(x, y);
	context.lineTo(x + pixels, y);
	context.lineTo(x + pixels, y - 4);
	context.stroke();
	words(context, text, x + pixels / 2, y - 8, "center");
};

export function words(context, text, x, y, align = "left") {
	context.font = "12px system-ui, sans-serif";
	context.textAlign = align;
	context.lineJoin = "round";
	context.lineWidth = 3;
	context.strokeStyle = "rgba(0,0,0,0.75)";
	context.strokeText(text, x, y);
	context.fillStyle = "#fff";
	context.fillText(text, x, y);
}

// ends(): [[h, v], [h, v]] or null
export const profileLine = (ends) => (context, map, view) => {
	const both = ends(view);
	if (!both) return;
	const [a, b] = both.map((end) => map.toScreen(...end));
	for (const [colour, width] of [["rgba(0,0,0,0.6)", 3.5], ["#ffcf5c", 1.5]]) {
		context.strokeStyle = colour;
		context.lineWidth = width;
		line(context, ...a, ...b);
		for (const [x, y] of [a, b]) {
			context.beginPath();
			context.arc(x, y, 5, 0, 7);
			context.stroke();
		}
	}
	const aside = a[0] <= b[0] ? -1 : 1;
	words(context, "start", a[0] + aside * 10, a[1] + 4, aside < 0 ? "right" : "left");
	words(context, "end", b[0] - aside * 10, b[1] + 4, aside < 0 ? "left" : "right");
};
