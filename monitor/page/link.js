// SPDX-License-Identifier: LGPL-3.0-or-later
// Keeps the state of the server: listens to its events, connects again, and tells when it cannot.

import { afterFirst, getJson, news } from "./ask.js";

const goneAfter = 25e3; // milliseconds without an answer, after which the server counts as gone
const silence = 10e3; // while a run goes on, events come more often than this

// One page hears the events and tells them to the other pages of this server: browsers open few connections to one server.
const name = "sinograph" + location.pathname;
const others = new BroadcastChannel(name);

// changed(state): at every new state. shown(kind, text): connection for people; kind: "", "lost", "gone", "refused".
export class Link {
	constructor({ changed, shown }) {
		Object.assign(this, { changed, shown, state: null, lostSince: 0, wait: 500, kind: null });
		news.addEventListener("refused", () => this.refuse());
		news.addEventListener("failed", () => { this.failed = true; this.check(); });
		document.addEventListener("visibilitychange", () => this.visibility());
		others.onmessage = ({ data }) => {
			if (data === "hello") { if (this.events) others.postMessage(this.state); }
			else if (data) this.hear(data);
			else this.check(); // the page that heard them has lost the server
		};
		setInterval(() => {
			const running = ["preparing", "running"].includes(this.state?.run?.state);
			if (running && this.leave && performance.now() - this.heard > silence) this.check();
		}, 2000);
	}

	// The page comes with the state that it had when it was asked for.
	start() {
		const first = document.getElementById("state");
		if (!first) return this.check();
		this.take(JSON.parse(first.textContent));
		afterFirst().then(() => { if (!document.hidden) this.listen(); });
	}

	listen() {
		if (this.leave) return;
		const stop = new AbortController();
		this.leave = () => stop.abort();
		this.heard = performance.now();
		const lead = () => new Promise((done) => {
			if (stop.signal.aborted) return done();
			stop.signal.addEventListener("abort", done);
			this.open();
		});
		if (navigator.locks) navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => {});
		else lead();
		others.postMessage("hello");
	}

	open() {
		const events = (this.events = new EventSource("events"));
		events.addEventListener("state", (event) => {
			let state;
			try { state = JSON.parse(event.data); } catch { return; }
			this.hear(state);
			others.postMessage(state);
		});
		events.onerror = () => {
			if (this.events !== events) return;
			this.close();
			others.postMessage(null);
			this.check();
		};
	}

	close() {
		this.events?.close();
		this.events = null;
		this.leave?.();
		this.leave = null;
	}

	hear(state) {
		this.heard = performance.now();
		this.take(state);
	}

	take(state) {
		const again = this.kind !== "" || this.failed;
		this.failed = false;
		this.state = state;
		this.lostSince = 0;
		this.wait = 500;
		this.show("");
		try { this.changed(state); } catch (error) { console.error(error); } // the next state may do
		if (again) news.dispatchEvent(new Event("answered"));
	}

	show(kind, text = "") {
		if (kind === this.kind) return;
		this.kind = kind;
		this.shown(kind, text);
	}

	refuse() {
		this.show("refused", "The server does not let this page in. Open the address again that Sinograph has printed (it ends with ?token=…).");
		this.later(3000);
	}

	// Asks for the state; if it comes, listens again, otherwise tries later.
	async check() {
		if (this.checking) return;
		this.checking = true;
		clearTimeout(this.timer);
		const stop = new AbortController();
		const limit = setTimeout(() => stop.abort(), 8000);
		try {
			const state = await getJson("/state", stop.signal);
			this.take(state);
			if (document.hidden) this.rest();
			else this.listen();
			this.heard = performance.now();
		} catch (error) {
			this.close();
			if (error.status === 401) this.later(3000);
			else this.lost(error);
		} finally {
			clearTimeout(limit);
			this.checking = false;
		}
	}

	lost(error) {
		const now = performance.now();
		this.lostSince ||= now;
		const run = this.state?.run;
		if (!error.status && ["done", "failed", "cancelled"].includes(run?.state) && !this.state.volumes?.length) {
			this.show("ended", "The run has ended, and Sinograph with it. What you see here is its last state.");
			this.wait = 5000;
		} else if (now - this.lostSince > goneAfter) {
			this.show("gone", "The server has ended or cannot be reached. Start Sinograph again and open the address that it prints.");
			this.wait = 5000;
		} else {
			this.show("lost", error.status ? "The server answers with an error, trying again … " + error.message : "Not connected, trying again …");
			this.wait = Math.min(this.wait * 1.5, 3000);
		}
		this.later(this.wait);
	}

	later(time) {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.check(), time);
	}

	visibility() {
		if (document.hidden) this.rest();
		else if (!this.leave) this.check();
	}

	// Pages in the background leave their connection to others, and ask about a run now and then.
	rest() {
		this.close();
		if (["preparing", "running", "paused"].includes(this.state?.run?.state)) this.later(3000);
	}
}
