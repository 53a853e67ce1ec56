import type {
  Calibration,
  CalibrationCommand,
} from '../../../../contract/devices/capabilities/light-house.ts'
import type { TKey } from '../../../lib/i18n/i18n.ts'

/** Stages of a calibration, in order (§4). */
export const STAGES = ['type', 'initialize', 'lightsOn', 'lightsOff', 'memorize', 'result'] as const
export type Stage = (typeof STAGES)[number]

/**
 * Next stage of the calibration, given the device's report; initializing is a stage of its own.
 *
 * requested  requested step that the device has not reported yet
 */
export function stageOf(now: Calibration | undefined, requested?: CalibrationCommand): Stage {
  if (requested?.Step === 'initialized') return 'initialize'
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
