import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { findings, type Finding } from '../../../contract/findings/calls.ts'
import { user } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'
import { useMay, useMe } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import page from '../../ui/page/page.module.css'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

const OVER: readonly Finding['State'][] = ['verified', 'notSeen', 'tooUncertain', 'expired']

/** Person in charge of a finding and due date; each is saved at once. */
export function FindingPeople({ finding, mayUpdate }: { finding: Finding; mayUpdate: boolean }) {
  const t = useT()
  const me = useMe()
  const maySeePeople = useMay('user', 'Read')
  const people = useQuery({ ...callQuery(user.operations.list, {}), enabled: maySeePeople && mayUpdate })
  const { busy, run } = useAction(findings.updateFinding)
  const { HomeID, FindingID, Version, Owner, OwnerName, Due, State } = finding
  if (!mayUpdate || OVER.includes(State))
    return (
      <p className={page.note}>
        {t('insight:findings.drawer.owner')}: {OwnerName ?? t('insight:findings.drawer.nobody')} ·{' '}
        {t('insight:findings.drawer.due')}: {Due ?? t('insight:findings.drawer.noDue')}
      </p>
    )
  const save = (change: { Owner: string | null } | { Due: string | null }) =>
    void run({ HomeID, FindingID, Version, ...change }, () => t('insight:findings.acts.saved'))
  const options = new Map((people.data ?? []).map((person) => [person.CognitoId, displayName(person)]))
  if (me) options.set(me.CognitoId, displayName(me))
  if (Owner !== null && !options.has(Owner)) options.set(Owner, OwnerName ?? Owner)
  return (
    <Form layout="vertical" component="div">
      <Form.Item label={t('insight:findings.drawer.owner')}>
        <Select
          aria-label={t('insight:findings.drawer.owner')}
          allowClear
          showSearch
          filterOption={holdsLabel}
          disabled={busy}
          placeholder={t('insight:findings.drawer.nobody')}
          value={Owner}
          onChange={(next?: string) => save({ Owner: next ?? null })}
          options={[...options].map(([value, label]) => ({ value, label }))}
        />
      </Form.Item>
      <Form.Item label={t('insight:findings.drawer.due')}>
        <DayField
          clears
          label={t('insight:findings.drawer.due')}
          value={Due ?? ''}
          change={(day) => save({ Due: day === '' ? null : day })}
        />
      </Form.Item>
    </Form>
  )
}
