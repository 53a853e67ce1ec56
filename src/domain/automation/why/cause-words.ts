import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import type { Cause, UpcomingAction, runs, HeldRule, Run } from '../../../../contract/automation/run-calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { useT, useLanguage } from '../../../lib/i18n/i18n.ts'
import { useCommandWords } from '../../devices/commands/command-words.ts'
import { useContainers } from '../../devices/ir-remote/use-containers.ts'
import { useTimeZone, useDevices } from '../../../data/homes.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { gatewayNow } from '../../../lib/gateway-clock.ts'

const DAY_MS = 86_400_000

/** Formats a timestamp in a home's time zone for use in a sentence, with "today", "yesterday" and "tomorrow". */
function useMoments(HomeID: string): (timestamp: number) => string {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  const dayOf = (at: number) => formatWhen(at, language, zone, 'day')
  return (timestamp) => {
    const day = dayOf(timestamp)
    const now = gatewayNow()
    const isNear =
      day === dayOf(now)
        ? 'today'
        : day === dayOf(now - DAY_MS)
          ? 'yesterday'
          : day === dayOf(now + DAY_MS)
            ? 'tomorrow'
            : undefined
    if (!isNear) return formatWhen(timestamp, language, zone)
    return t(`automation:why.${isNear}`, { time: formatWhen(timestamp, language, zone, 'time') })
  }
}

export type CauseText = ResultsOf<typeof runs.explainDevice>

/** Effect on a device: a single switch turned on or off, or something set. */
type Became = 'on' | 'off' | 'set'

/** Source of a change. */
type Behind = 'device' | 'person' | 'scene' | 'schedule' | 'smartLink' | 'ended' | 'undone' | 'automation'

const becameOf = (values: CommandValues): Became => {
  const [[field, value] = [], ...otherValues] = Object.entries(values)
  if (field !== 'Switch' || otherValues.length > 0) return 'set'
  return value === 1 ? 'on' : 'off'
}

/** Values keyed by event paths, converted to the shape of a command. */
function asCommand(values: CommandValues): CommandValues {
  const zones: { NodeID: number }[] = []
  const remaining: CommandValues = {}
  for (const [path, value] of Object.entries(values)) {
    const { field, zone } = readPath(path)
    if (zone === undefined || field === '') remaining[path] = value
    else zones.push({ NodeID: zone, [field]: value })
  }
  return zones.length > 0 ? { ...remaining, ThermostatTable: zones } : remaining
}

const kindOfType = (type: number): 'schedule' | 'smartLink' | 'alarm' =>
  type === 4 ? 'alarm' : type === 1 || type === 2 ? 'schedule' : 'smartLink'

function behindOf({ Kind, By, Run }: Cause): Behind {
  if (Kind === 'device') return 'device'
  if (!Run) return By === null ? 'automation' : 'person'
  if (Run.Cause === 'undo') return 'undone'
  if (Run.AutomationID === null) return Run.SceneID === null ? 'person' : 'scene'
  if (Run.Cause === 'end' || Run.Cause === 'off') return 'ended'
  return Run.Cause === 'schedule' || Run.Cause === 'booking' ? 'schedule' : 'smartLink'
}

/** Past changes of a device, and the next one, each as a sentence in the home's time zone. */
export function useCauseWords(device: Peripheral): {
  causeOf(cause: Cause): string
  nextOf(action: NextOf): string
} {
  const t = useT()
  const at = useMoments(device.HomeID)
  const containers = useContainers(device)
  const commandText = useCommandWords(device, containers.data)
  return {
    causeOf(cause) {
      const values = asCommand(cause.Values)
      const causeText = {
        at: at(cause.At),
        person: cause.By ?? cause.Run?.By ?? t('automation:why.somebody'),
        name: cause.Run?.Name ?? '',
        values: commandText(values),
      }
      return t(`automation:why.causes.${behindOf(cause)}.${becameOf(values)}`, causeText)
    },
    nextOf({ AutomationType, AutomationName: name, At, Values }) {
      const causeText = {
        name,
        kind: t(`automation:why.kinds.${kindOfType(AutomationType)}`),
        values: commandText(Values),
      }
      const outcome = becameOf(Values)
      return At === null
        ? t(`automation:why.when.${outcome}`, causeText)
        : t(`automation:why.next.${outcome}`, { ...causeText, at: at(At) })
    },
  }
}

type NextOf = (typeof UpcomingAction)['_output']

/** Skipped runs of one automation with the same reason; `run` is the newest. */
export interface NearMiss {
  run: Run
  /** Number of further runs. */
  moreCount: number
}

/** Skipped runs grouped by automation, state and reason, in the order received (newest first). */
export function groupNearMisses(runs: readonly Run[]): NearMiss[] {
  const nearMisses = new Map<string, NearMiss>()
  for (const run of runs) {
    const key = [run.AutomationID, run.State, run.Reason].join(' ')
    const previous = nearMisses.get(key)
    if (previous) previous.moreCount++
    else nearMisses.set(key, { run, moreCount: 0 })
  }
  return [...nearMisses.values()]
}

/** Reasons why automations cannot run or did not run, each as a sentence in the home's time zone. */
export function useWhyNotWords(HomeID: string): {
  heldReasonOf(rule: HeldRule): string
  nearMissText(nearMiss: NearMiss): string
} {
  const t = useT()
  const at = useMoments(HomeID)
  const devices = useDevices(HomeID).data?.Peripherals
  const nameOf = (uid: string) => devices?.find(({ PeripheralUID }) => PeripheralUID === uid)?.PeripheralName
  return {
    heldReasonOf({ AutomationType, AutomationName: name, State, Reason, Subject, Since, Until }) {
      const key = Reason ?? (State === 'homePaused' && Until !== null ? 'homePausedUntil' : State)
      return t(`automation:why.held.${key as NonNullable<typeof Reason>}`, {
        kind: t(`automation:why.kinds.${kindOfType(AutomationType)}`),
        name,
        subject: Subject === null ? '' : (nameOf(Subject) ?? Subject),
        since: Since === null ? '' : at(Since),
        until: Until === null ? '' : at(Until),
      })
    },
    nearMissText({ run, moreCount }) {
      const unknown = run.Conditions.flatMap(({ PeripheralUID, Verdict }) =>
        Verdict === null ? (nameOf(PeripheralUID) ?? []) : [],
      )
      const reason = run.Reason ?? (run.State as 'missed')
      const text = t(
        `automation:why.nearly.${reason === 'unknown' && unknown.length > 0 ? 'unknownOf' : reason}`,
        {
          at: at(run.PlannedAt ?? run.BeganAt),
          name: run.Name ?? '',
          devices: [...new Set(unknown)].join(t('screens:listComma')),
        },
      )
      return moreCount > 0 ? t('automation:why.moreTimes', { said: text, count: moreCount }) : text
    },
  }
}
