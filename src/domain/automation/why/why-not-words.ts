import type { HeldRule, Run } from '../../../../contract/automation/run-calls.ts'
import { useDevices } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { kindOfType } from './cause-words.ts'
import { useMoments } from './use-moments.ts'

/** Runs of one automation that did not come about for one reason, of which the newest is told. */
export interface NearMiss {
  run: Run
  /** How many there are beside it. */
  more: number
}

/** Near misses with those of the same automation and reason as one; newest first, as they come. */
export function gatherNearly(runs: readonly Run[]): NearMiss[] {
  const found = new Map<string, NearMiss>()
  for (const run of runs) {
    const key = [run.AutomationID, run.State, run.Reason].join(' ')
    const before = found.get(key)
    if (before) before.more++
    else found.set(key, { run, more: 0 })
  }
  return [...found.values()]
}

/** Why automations cannot act now, or did not, each as one sentence by the clock of the home. */
export function useWhyNotWords(HomeID: string): {
  heldOf(rule: HeldRule): string
  nearlyOf(miss: NearMiss): string
} {
  const t = useT()
  const at = useMoments(HomeID)
  const devices = useDevices(HomeID).data?.Peripherals
  const nameOf = (uid: string) => devices?.find(({ PeripheralUID }) => PeripheralUID === uid)?.PeripheralName
  return {
    heldOf({ AutomationType, AutomationName: name, State, Reason, Subject, Since, Until }) {
      const key = Reason ?? (State === 'homePaused' && Until !== null ? 'homePausedUntil' : State)
      return t(`automation:why.held.${key as NonNullable<typeof Reason>}`, {
        kind: t(`automation:why.kinds.${kindOfType(AutomationType)}`),
        name,
        subject: Subject === null ? '' : (nameOf(Subject) ?? Subject),
        since: Since === null ? '' : at(Since),
        until: Until === null ? '' : at(Until),
      })
    },
    nearlyOf({ run, more }) {
      const unknown = run.Conditions.flatMap(({ PeripheralUID, Verdict }) =>
        Verdict === null ? (nameOf(PeripheralUID) ?? []) : [],
      )
      const reason = run.Reason ?? (run.State as 'missed')
      const said = t(
        `automation:why.nearly.${reason === 'unknown' && unknown.length > 0 ? 'unknownOf' : reason}`,
        {
          at: at(run.PlannedAt ?? run.BeganAt),
          name: run.Name ?? '',
          devices: [...new Set(unknown)].join(t('screens:listComma')),
        },
      )
      return more > 0 ? t('automation:why.moreTimes', { said, count: more }) : said
    },
  }
}
