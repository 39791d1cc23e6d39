/** Short tones for what happens at a table. They are silent until somebody turns them on. */

import { prefers } from "./preferences.ts";

/** By sound: frequency in hertz, start and length in seconds, of each tone. */
const TONES = {
  turn: [[660, 0, 0.12], [880, 0.11, 0.16]],
  queen: [[233, 0, 0.22], [175, 0.18, 0.4]],
  moon: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.14], [1047, 0.36, 0.45]],
};
const LOUDNESS = 0.12;

let context: AudioContext | null = null;

/** Play a sound, if somebody wants to hear any. */
export function sound(name: keyof typeof TONES): void {
  if (!prefers("sound")) return;
  context ??= new AudioContext();
  // A browser keeps a page silent until somebody has pressed something on it.
  context.resume();
  for (const [frequency, start, length] of TONES[name]) {
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { frequency, type: "triangle" });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
