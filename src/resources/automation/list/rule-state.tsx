import { Button } from 'antd'
import type { FC } from 'react'
import { automations, type Blocker } from '../../../../contract/automation/calls.ts'
import type { AutomationState } from '../../../../contract/automation/automation.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatWhen } from '../../../lib/format-when.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { StateTag, type Tone } from '../../../ui/tags/state-tag.tsx'
import { KINDS, kindOf, type ListedRule } from '../rules/kinds.ts'
import styles from './rule-list.module.css'
import { blockerKeyOf, cannotFire } from '../words/cannot-fire.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { useRuleRooms } from '../words/use-rule-names.ts'

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
    const found =
      Subject == null
        ? undefined
        : (devices.get(Subject)?.PeripheralName ??
          groups.get(Subject)?.GroupName ??
          scenes.get(Subject)?.SceneName ??
          ofHome.find(({ RoomID }) => String(RoomID) === Subject)?.RoomName ??
          rooms?.find(({ ConferenceRoomID }) => ConferenceRoomID === Subject)?.ConferenceRoomName)
    return found ?? (Reason === 'deviceGone' && Subject ? Subject : t('automation:rule.something'))
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
      <span className={styles.state}>
        <StateTag tone="alarm">{t('automation:rule.cannotFire.title')}</StateTag>
        <small>
          {cannotFire(t, reason, blocker?.PeripheralUID ? facts.subjects.nameOf(blocker.PeripheralUID) : '')}
        </small>
      </span>
    )
  return (
    <span className={styles.state}>
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

/** Button that makes the current user the owner of a rule without one. */
function TakeOver({ rule }: { rule: ListedRule }) {
  const t = useT()
  const mayUpdate = useMay(KINDS[kindOf(rule)].feature, 'Update')
  const mayControl = useMay('device_control', 'Control')
  const taking = useAction(automations.takeOverAutomation)
  if (!mayUpdate || !mayControl) return null
  const { AutomationType, AutomationID } = rule
  return (
    <Button
      aria-label={t('automation:rule.takeOverOf', { name: rule.AutomationName })}
      loading={taking.busy}
      onClick={(event) => {
        event.stopPropagation()
        void taking.run({ AutomationType, AutomationID }, () => t('automation:rule.takenOver'))
      }}
    >
      {t('automation:rule.takeOver')}
    </Button>
  )
}
