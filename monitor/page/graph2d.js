// SPDX-License-Identifier: LGPL-3.0-or-later
// Draws lines of values over a distance, with axes that have names and whole marks.

import { number, ticks } from "./format.js";

// series: [{values, step, title}], colours by CSS names --line-0, --line-1
export function drawLines(canvas, series, { across, up, factor = 1, at = null }) {
	const box = canvas.getBoundingClientRect();
	if (!box.width) return null;
	const ratio = devicePixelRatio || 1;
	canvas.width = Math.round(box.width * ratio);
	canvas.height = Math.round(box.height * ratio);
	const context = canvas.getContext("2d");
	context.scale(ratio, ratio);
	const style = getComputedStyle(canvas);
	const colour = (name) => style.getPropertyValue(name).trim();
	const finite = series.flatMap((one) => one.values.filter((v) => v !== null && Number.isFinite(v)));
	if (!finite.length) return null;
	let low = finite.reduce((a, b) => Math.min(a, b));
	let high = finite.reduce((a, b) => Math.max(a, b));
	const margin = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
	low -= margin;
	high += margin;
	const end = Math.max(...series.map((one) => (one.values.length - 1) * one.step * factor)) || 1;

	context.font = "11px system-ui, sans-serif";
	const marksUp = ticks(low, high, Math.max(2, box.height / 45));
	const left = Math.max(...marksUp.map((v) => context.measureText(number(v, 4)).width)) + 24;
	const area = { left, right: box.width - 10, top: 8, bottom: box.height - 34 };
	const x = (v) => area.left + (v / end) * (area.right - area.left);
	const y = (v) => area.bottom - ((v - low) / (high - low)) * (area.bottom - area.top);

	context.strokeStyle = colour("--line");
	context.fillStyle = colour("--muted");
	context.lineWidth = 1;
	const stroke = (x0, y0, x1, y1) => { context.beginPath(); context.moveTo(x0, y0); context.lineTo(x1, y1); context.stroke(); };
	context.textAlign = "right";
	context.textBaseline = "middle";
	for (const v of marksUp) {
		const at = Math.round(y(v)) + 0.5;
		stroke(area.left, at, area.right, at);
		context.fillText(number(v, 4), area.left - 5, at);
	}
	context.textAlign = "center";
	context.textBaseline = "top";
	for (const v of ticks(0, end, Math.max(2, box.width / 90))) {
		stroke(Math.round(x(v)) + 0.5, area.bottom, Math.round(x(v)) + 0.5, area.bottom + 4);
		context.fillText(number(v, 4), x(v), area.bottom + 6);
	}
	context.fillText(across, (area.left + area.right) / 2, box.height - 13);
	context.save();
	context.translate(6, (area.top + area.bottom) / 2);
	context.rotate(-Math.PI / 2);
	context.textBaseline = "middle";
	context.fillText(up, 0, 2);
	context.restore();

	series.forEach((one, i) => {
		context.strokeStyle = colour("--line-" + i);
		context.lineWidth = 1.5;
		context.setLineDash(i ? [5, 3] : []);
		context.beginPath();
		let pen = false;
		one.values.forEach((value, k) => {
			if (value === null || !Number.isFinite(value)) { pen = false; return; }
			const px = x(k * one.step * factor);
			if (pen) context.lineTo(px, y(value)); else context.moveTo(px, y(value));
			pen = true;
		});
		context.stroke();
		context.setLineDash([]);
	});
	if (at !== null && at >= 0 && at <= end) {
		context.strokeStyle = colour("--muted");
		stroke(Math.round(x(at)) + 0.5, area.top, Math.round(x(at)) + 0.5, area.bottom);
	}
	return { toDistance: (px) => ((px - area.left) / (area.right - area.left)) * end, end };
}
