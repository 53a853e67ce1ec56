import type { Calibration, CalibrationCommand } from '../../../../contract/devices/calibration.ts'
import type { TKey } from '../../../lib/i18n/i18n.ts'

/** What a person goes through, in order (§4). */
export const STAGES = ['type', 'initialize', 'lightsOn', 'lightsOff', 'memorize', 'result'] as const
export type Stage = (typeof STAGES)[number]

/**
 * What is to be done next, by what the device reports; while it initializes that is a stage of its own.
 *
 * asked  the step that was asked for and is not reported yet
 */
export function stageOf(now: Calibration | undefined, asked?: CalibrationCommand): Stage {
  if (asked?.Step === 'initialized') return 'initialize'
  switch (now?.Step) {
    case 'initialized':
      return 'lightsOn'
    case 'lightsOn':
      return 'lightsOff'
    case 'lightsOff':
    case 'memorizing':
      return 'memorize'
    case 'finished':
      return 'result'
    default:
      return 'type'
  }
}

export const stageWords = (t: (key: TKey) => string, stage: Stage): string => t(`lightHouse:steps.${stage}`)
