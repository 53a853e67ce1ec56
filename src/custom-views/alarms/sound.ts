import { createStore } from '../../lib/store.ts'
import { logFault } from '../../lib/log-fault.ts'

const KEY = 'alarmSound'

/** Whether a new critical alarm sounds in this browser. */
export const soundsAlarms = createStore(readKept())

function readKept(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

export function setSoundsAlarms(on: boolean): void {
  soundsAlarms.set(on)
  try {
    if (on) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  } catch (error) {
    logFault('Keeping the alarm sound', error)
  }
}

let context: AudioContext | undefined

/** Lets the browser sound later: it allows that only once a person has pressed something. */
export function allowSound(): void {
  context ??= typeof AudioContext === 'undefined' ? undefined : new AudioContext()
  if (context?.state === 'suspended') void context.resume().catch(() => {})
}

/** Two short tones, a second in all. Silent where the browser does not allow sound. */
export function soundTone(): void {
  allowSound()
  if (!context) return
  const begin = context.currentTime
  for (const [i, frequency] of [880, 660].entries()) {
    const [from, until] = [begin + i * 0.35, begin + i * 0.35 + 0.3]
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(0.25, from + 0.02)
    volume.gain.linearRampToValueAtTime(0, until)
    tone.connect(volume).connect(context.destination)
    tone.start(from)
    tone.stop(until)
  }
}
