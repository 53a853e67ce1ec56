import { Button, Form, Radio, Select } from 'antd'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { findings, type Finding } from '../../../contract/findings/calls.ts'
import {
  mayMove,
  DISMISS_REASONS,
  type DismissReason,
  LATER_DAYS,
} from '../../../contract/findings/finding-life.ts'
import { useMe, useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFindingWords } from '../../domain/finding/use-finding-words.ts'
import page from '../../ui/page/page.module.css'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { describeFailure } from '../../data/failure.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import { user } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props {
  finding: Finding
  name: string
  zone: string
  close: () => void
}

const keyOf = ({ HomeID, FindingID, Version }: Finding) => ({ HomeID, FindingID, Version })
/** Initial number of days for `later`. */
const MONTH = 30

function DoneDialog({ finding, name, zone, close }: Props) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), zone))
  const [day, setDay] = useState(today)
  const { busy, failure, run } = useAction(findings.updateFinding, { feedback: 'failure' })
  const save = async () => {
    const doneText = () => t('insight:findings.acts.doneTold', { name })
    if (await run({ ...keyOf(finding), State: 'done', DoneOn: day }, doneText)) close()
  }
  return (
    <Modal
      open
      title={t('insight:findings.acts.doneTitle')}
      okText={t('insight:findings.acts.done')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: day === '' }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={close}
    >
      <p>{t('insight:findings.acts.doneNote')}</p>
      <DayField
        zone={zone}
        max={today}
        label={t('insight:findings.acts.doneDay')}
        value={day}
        change={setDay}
      />
      <Fault failure={failure} />
    </Modal>
  )
}

/** Dialog for the reason to dismiss a finding, and for `later` until when. */
function DismissDialog({ finding, name, zone, close }: Props) {
  const t = useT()
  const today = dayOf(useNow(), zone)
  const [reason, setReason] = useState<DismissReason>('later')
  const [until, setUntil] = useState(formatDay(today + MONTH))
  const { busy, failure, run } = useAction(findings.updateFinding, { feedback: 'failure' })
  const save = async () => {
    const dismissedText = () => t('insight:findings.acts.dismissed', { name })
    const input = {
      ...keyOf(finding),
      State: 'dismissed' as const,
      Reason: reason,
      ...(reason === 'later' && { Until: until }),
    }
    if (await run(input, dismissedText)) close()
  }
  return (
    <Modal
      open
      title={t('insight:findings.acts.dismissTitle')}
      okText={t('insight:findings.acts.dismiss')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: reason === 'later' && until === '' }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={close}
    >
      <Form layout="vertical" component="div">
        <Form.Item>
          <Radio.Group
            aria-label={t('insight:findings.acts.dismissTitle')}
            className={page.tightStack ?? ''}
            value={reason}
            options={DISMISS_REASONS.toReversed().map((value) => ({
              value,
              label: t(`insight:findings.reasons.${value}`),
            }))}
            onChange={({ target }) => setReason(target.value as DismissReason)}
          />
        </Form.Item>
        {reason === 'later' && (
          <Form.Item label={t('insight:findings.acts.untilDay')}>
            <DayField
              zone={zone}
              min={formatDay(today + 1)}
              max={formatDay(today + LATER_DAYS)}
              label={t('insight:findings.acts.untilDay')}
              value={until}
              change={setUntil}
            />
          </Form.Item>
        )}
      </Form>
      <Fault failure={failure} />
    </Modal>
  )
}

const Fault = ({ failure }: { failure: unknown }) =>
  failure === undefined ? null : (
    <p role="alert" className={page.fault}>
      {describeFailure(failure)}
    </p>
  )

/** Actions on a finding, at the lower edge within reach of the thumb. */
export function FindingActions({ finding, zone }: { finding: Finding; zone: string }) {
  const t = useT()
  const me = useMe()
  const [dialog, setDialog] = useState<'done' | 'dismiss'>()
  const { busy, run } = useAction(findings.updateFinding)
  const { titleOf } = useFindingWords()
  const { HomeID, FindingID, Version, State, Owner } = finding
  const name = titleOf(finding)
  const key = { HomeID, FindingID, Version }
  const accept = () =>
    run({ ...key, State: 'accepted', ...(Owner === null && me && { Owner: me.CognitoId }) }, () =>
      t('insight:findings.acts.accepted', { name }),
    )
  const reopen = () =>
    run({ ...key, State: State === 'done' ? 'accepted' : 'open' }, () =>
      t('insight:findings.acts.reopened', { name }),
    )
  const acts = {
    accept: State === 'open',
    done: State === 'open' || State === 'accepted',
    dismiss: State !== 'dismissed' && mayMove(State, 'dismissed'),
    reopen: State === 'dismissed' || State === 'accepted' || State === 'done',
  }
  if (!Object.values(acts).some(Boolean)) return null
  return (
    <div className={page.buttons}>
      {acts.accept && (
        <Button type="primary" loading={busy} onClick={() => void accept()}>
          {t('insight:findings.acts.accept')}
        </Button>
      )}
      {acts.done && (
        <Button type={State === 'accepted' ? 'primary' : 'default'} onClick={() => setDialog('done')}>
          {t('insight:findings.acts.done')}
        </Button>
      )}
      {acts.dismiss && (
        <Button onClick={() => setDialog('dismiss')}>{t('insight:findings.acts.dismiss')}</Button>
      )}
      {acts.reopen && (
        <Button loading={busy} onClick={() => void reopen()}>
          {t(State === 'done' ? 'insight:findings.acts.back' : 'insight:findings.acts.reopen')}
        </Button>
      )}
      {dialog === 'done' && (
        <DoneDialog finding={finding} name={name} zone={zone} close={() => setDialog(undefined)} />
      )}
      {dialog === 'dismiss' && (
        <DismissDialog finding={finding} name={name} zone={zone} close={() => setDialog(undefined)} />
      )}
    </div>
  )
}

const FINAL_STATES: readonly Finding['State'][] = ['verified', 'notSeen', 'tooUncertain', 'expired']

/** Person in charge of a finding and due date; each is saved at once. */
export function FindingPeople({ finding, mayUpdate }: { finding: Finding; mayUpdate: boolean }) {
  const t = useT()
  const me = useMe()
  const maySeePeople = useMay('user', 'Read')
  const people = useQuery({ ...callQuery(user.operations.list, {}), enabled: maySeePeople && mayUpdate })
  const { busy, run } = useAction(findings.updateFinding)
  const { HomeID, FindingID, Version, Owner, OwnerName, Due, State } = finding
  if (!mayUpdate || FINAL_STATES.includes(State))
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
