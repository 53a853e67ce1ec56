import type { HeldRule, Run } from '../../../../contract/automation/run-calls.ts'
import { useDevices } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { kindOfType } from './cause-words.ts'
import { useMoments } from './use-moments.ts'

/** Skipped runs of one automation with the same reason; `run` is the newest. */
export interface NearMiss {
  run: Run
  /** Number of further runs. */
  moreCount: number
}

/** Skipped runs grouped by automation, state and reason, in the order received (newest first). */
export function gatherNearly(runs: readonly Run[]): NearMiss[] {
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
  nearlyOf(miss: NearMiss): string
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
    nearlyOf({ run, moreCount }) {
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
