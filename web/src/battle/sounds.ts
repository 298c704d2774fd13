// Dice that fall and drums when a round begins, for who wants them. They are made here: nothing is fetched.

let sound: AudioContext | null = null

/** A short burst of noise through a filter: a knock on wood, or a drum. */
function knock(at: number, pitch: number, seconds: number, loudness: number): void {
  const now = (sound ??= new AudioContext())
  const long = Math.ceil(now.sampleRate * seconds)
  const noise = now.createBuffer(1, long, now.sampleRate)
  const wave = noise.getChannelData(0)
  for (let n = 0; n < long; n++) wave[n] = (Math.random() * 2 - 1) * (1 - n / long) ** 3
  const [source, filter, gain] = [now.createBufferSource(), now.createBiquadFilter(), now.createGain()]
  source.buffer = noise
  filter.type = 'bandpass'
  filter.frequency.value = pitch
  gain.gain.value = loudness
  source.connect(filter).connect(gain).connect(now.destination)
  source.start(now.currentTime + at)
}

/** So many dice fall on the table; more than a dozen sound no longer. */
export function rattle(dice: number): void {
  for (let n = 0; n < Math.min(12, dice + 2); n++) knock(n * 0.035 + Math.random() * 0.02, 1800 + Math.random() * 1600, 0.05, 0.25)
}

export function drum(): void {
  for (const at of [0, 0.16, 0.48]) knock(at, 110, 0.3, 0.9)
}
