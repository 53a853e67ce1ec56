import { UserSwitchOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC } from 'react'
import { useQuery, useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'
import { automations, type Blocker } from '../../../../contract/automation/calls.ts'
import type { AutomationState } from '../../../../contract/automation/automation.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { StateTag, type Tone } from '../../../ui/tags/state-tag.tsx'
import { KINDS, kindOf, type ListedRule, type RuleKind } from '../rules/kinds.ts'
import { blockerKeyOf, cannotFire } from '../words/cannot-fire.ts'
import { type RuleFacts, useRuleRooms } from '../words/use-rule-facts.ts'
import { alarms } from '../../../../contract/alarms/calls.ts'
import { AlarmState } from '../../../custom-views/alarms/alarm-state.tsx'
import { callQuery } from '../../../data/api.ts'
import { pathTo } from '../../../navigation/paths.ts'
import page from '../../../ui/page/page.module.css'
import { RunButton } from '../../../domain/automation/runs/run-button.tsx'
import { RunOutcome } from '../../../domain/automation/runs/run-outcome.tsx'
import { useLiveOutcome } from '../../../domain/automation/runs/use-runs.ts'
import { IconButton } from '../../../ui/page/icon-button.tsx'

const TONES: Readonly<Record<AutomationState, Tone>> = {
  ready: 'good',
  disabled: 'offline',
  suspended: 'warning',
  broken: 'alarm',
  paused: 'warning',
}

/** Name of a problem's subject; its kind if it was deleted. */
function useSubjectName(facts: RuleFacts): (rule: ListedRule) => string {
  const t = useT()
  const rooms = useRuleRooms().data
  return ({ Problem }) => {
    const { Reason, Subject } = Problem ?? {}
    const { devices, groups, scenes, rooms: ofHome } = facts.actions
    const subjectName =
      Subject == null
        ? undefined
        : (devices.get(Subject)?.PeripheralName ??
          groups.get(Subject)?.GroupName ??
          scenes.get(Subject)?.SceneName ??
          ofHome.find(({ RoomID }) => String(RoomID) === Subject)?.RoomName ??
          rooms?.find(({ ConferenceRoomID }) => ConferenceRoomID === Subject)?.ConferenceRoomName)
    return subjectName ?? (Reason === 'deviceGone' && Subject ? Subject : t('automation:rule.something'))
  }
}

/** State of a rule, with the reason and time if it does not run, and the action that fixes it. */
export const RuleState: FC<{ rule: ListedRule; facts: RuleFacts; blocker?: Blocker | undefined }> = ({
  rule,
  facts,
  blocker,
}) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(rule.HomeID)
  const nameOf = useSubjectName(facts)
  const { State, Problem } = rule
  const at = (moment: number) => formatWhen(moment, language, zone)
  const reason = blocker && State === 'ready' ? blockerKeyOf(blocker.Kind) : undefined
  if (reason)
    return (
      <span className={page.tightRow}>
        <StateTag tone="alarm">{t('automation:rule.cannotFire.title')}</StateTag>
        <small>
          {cannotFire(t, reason, blocker?.PeripheralUID ? facts.subjects.nameOf(blocker.PeripheralUID) : '')}
        </small>
      </span>
    )
  return (
    <span className={page.tightRow}>
      <StateTag tone={TONES[State]}>{t(`automation:rule.states.${State}`)}</StateTag>
      {Problem && State !== 'disabled' && (
        <small>
          {t(`automation:rule.problems.${Problem.Reason}`, { name: nameOf(rule) })}
          {' · '}
          {Problem.Until === null
            ? t('automation:rule.since', { at: at(Problem.Since) })
            : t('automation:rule.until', { at: at(Problem.Until) })}
        </small>
      )}
      {State === 'suspended' && <TakeOver rule={rule} />}
    </span>
  )
}

/** Makes the user the owner of a suspended rule. */
export function TakeOver({ rule, small = false }: { rule: ListedRule; small?: boolean }) {
  const t = useT()
  const mayUpdate = useMay(KINDS[kindOf(rule)].feature, 'Update')
  const mayControl = useMay('device_control', 'Control')
  const takeOver = useAction(automations.takeOverAutomation)
  if (!mayUpdate || !mayControl) return null
  const { AutomationType, AutomationID } = rule
  const label = t('automation:rule.takeOverOf', { name: rule.AutomationName })
  const press = () =>
    void takeOver.run({ AutomationType, AutomationID }, () => t('automation:rule.takenOver'))
  if (small)
    return <IconButton icon={<UserSwitchOutlined />} label={label} loading={takeOver.busy} onPress={press} />
  return (
    <Button
      aria-label={label}
      loading={takeOver.busy}
      onClick={(event) => {
        event.stopPropagation()
        press()
      }}
    >
      {t('automation:rule.takeOver')}
    </Button>
  )
}

/** Limit of the query; more than the number of rules in a home. */
const MAX_RUNS = 500

/** Link to the open alarm of a rule. */
export const AlarmNow: FC<{ rule: ListedRule; canFire: boolean }> = ({
  rule: { HomeID, AutomationID },
  canFire,
}) => {
  const t = useT()
  const { data } = useQuery(callQuery(alarms.listAlarm, { HomeID, State: 'open', Limit: MAX_RUNS }))
  if (!data) return '–'
  const open = data.Rows.find((alarm) => alarm.AutomationID === AutomationID)
  // Show no "OK" for a rule that cannot fire.
  if (!open && !canFire) return '–'
  if (!open) return <span className={page.muted}>{t('alarms:calm')}</span>
  return (
    <Link
      to={`${pathTo('Alarm', { HomeID })}?tab=live&alarm=${open.AlarmID}`}
      onClick={(event) => event.stopPropagation()}
    >
      <AlarmState alarm={open} />
    </Link>
  )
}

/** Outcome of a rule's last run, followed while it is in progress. */
export const LastRun: FC<{ rule: ListedRule }> = ({ rule }) => (
  <RunOutcome
    HomeID={rule.HomeID}
    run={useLiveOutcome(rule.LastRun)}
    ranAt={rule.LastRunAt}
    skip={rule.LastSkip}
  />
)

/** Button that shows the last runs of a rule. */
export const RuleRuns: FC<{ rule: ListedRule; small?: boolean }> = ({ rule, small = false }) => {
  const t = useT()
  const mayReadRuns = useMay('device', 'Read')
  const { HomeID, AutomationID, AutomationName, AutomationType, Actions } = rule
  // An alarm that only notifies has no runs.
  if (!mayReadRuns || (AutomationType === 4 && Actions.length === 0)) return null
  return (
    <RunButton HomeID={HomeID} name={AutomationName} query={{ HomeID, AutomationID }} small={small}>
      {t('automation:scene.runs')}
    </RunButton>
  )
}

/** Rules of a home that can never fire, by AutomationID; empty while loading. */
export function useBlockers(HomeID: string, kind: RuleKind): ReadonlyMap<string, Blocker> {
  const answers = useQueries({
    queries: KINDS[kind].types.map((AutomationType) => ({
      ...callQuery(automations.listBlockedAutomation, { HomeID, AutomationType }),
      // Schedules have no conditions.
      enabled: kind !== 'schedule',
    })),
  })
  return new Map(answers.flatMap(({ data }) => (data ?? []).map((one) => [one.AutomationID, one] as const)))
}
