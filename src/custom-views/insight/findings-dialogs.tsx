import { Form, Radio } from 'antd'
import { useState } from 'react'
import { findings, type Finding } from '../../../contract/findings/calls.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { DISMISS_REASONS, type DismissReason, LATER_DAYS } from '../../../contract/findings/finding-life.ts'
import { describeFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/dialog/dialog.tsx'

interface Props {
  finding: Finding
  name: string
  zone: string
  close: () => void
}

const keyOf = ({ HomeID, FindingID, Version }: Finding) => ({ HomeID, FindingID, Version })
/** Initial number of days for `later`. */
const MONTH = 30

export function DoneDialog({ finding, name, zone, close }: Props) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), zone))
  const [day, setDay] = useState(today)
  const { busy, failure, run } = useAction(findings.updateFinding, { shows: 'failure' })
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
export function DismissDialog({ finding, name, zone, close }: Props) {
  const t = useT()
  const today = dayOf(useNow(), zone)
  const [reason, setReason] = useState<DismissReason>('later')
  const [until, setUntil] = useState(formatDay(today + MONTH))
  const { busy, failure, run } = useAction(findings.updateFinding, { shows: 'failure' })
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
