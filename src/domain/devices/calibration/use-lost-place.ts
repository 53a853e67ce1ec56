import { useState } from 'react'
import type { CalibrationStep } from '../../../../contract/devices/calibration.ts'

type Step = CalibrationStep | undefined

/** What a wizard has seen of its calibration. */
export interface CalibrationProgress {
  step: Step
  asked: Step
  /** The last that was asked for was to cancel. */
  cancelling: boolean
  lost: boolean
}

const isWithin = (step: Step) => step !== undefined && step !== 'idle' && step !== 'finished'

/**
 * What the wizard knows once the device stands at `step` and is asked for `asked`. Lost is a calibration that was under
 * way and is not any more, though nobody here cancelled it: cancelled elsewhere, or forgotten by the device.
 */
function moveOn(before: CalibrationProgress, step: Step, asked: Step): CalibrationProgress {
  const cancelling = asked ? asked === 'idle' : before.cancelling
  const lost =
    isWithin(before.step) && step === 'idle'
      ? !cancelling
      : before.lost && step === before.step && asked === undefined
  return { step, asked, cancelling, lost }
}

/** Whether the calibration ended under somebody's hands. */
export function useLostPlace(step: Step, asked: Step): boolean {
  const [place, setPlace] = useState<CalibrationProgress>({ step, asked, cancelling: false, lost: false })
  if (place.step === step && place.asked === asked) return place.lost
  const next = moveOn(place, step, asked)
  setPlace(next)
  return next.lost
}
