// Who has to act is told, if he wants to be: in the title, by a sound, by a notification.

import { page } from '../page.svelte'

/** Two soft strokes, made here: nothing is fetched for it. */
function ring(): void {
  const sound = new AudioContext()
  for (const [at, pitch] of [[0, 660], [0.18, 880]]) {
    const [tone, loudness] = [sound.createOscillator(), sound.createGain()]
    tone.frequency.value = pitch
    loudness.gain.setValueAtTime(0.12, sound.currentTime + at)
    loudness.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.4)
    tone.connect(loudness).connect(sound.destination)
    tone.start(sound.currentTime + at)
    tone.stop(sound.currentTime + at + 0.45)
  }
  setTimeout(() => void sound.close(), 1000)
}

/** It is one's turn again, others having acted. */
export function tellTurn(words: string, title: string): void {
  if (page.sound) ring()
  if (page.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') new Notification(words, { body: title, tag: 'turn' })
}
