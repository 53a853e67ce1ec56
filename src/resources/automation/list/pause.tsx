import { PauseOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Radio } from 'antd'
import { useState, type FC } from 'react'
import { automations } from '../../../../contract/automation/calls.ts'
import { callQuery } from '../../../data/api.ts'
import { describeField } from '../../../data/failure.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatWhen } from '../../../../contract/time/format-time.ts'
import { t as words, useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { fromWallTimeInput, toWallTimeInput } from '../../../lib/wall-input.ts'
import { MomentField } from '../../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { Modal } from '../../../ui/page/dialog.tsx'

/** The pause of a home's automations; null if there is none, undefined while loading. */
const usePause = (HomeID: string) =>
  useQuery({ ...callQuery(automations.getAutomationPause, { HomeID }), enabled: HomeID !== '' }).data

/** Whether the user may pause a home's automations; needs the rights for both kinds. */
function useMayPause(): boolean {
  const [schedules, links] = [useMay('schedule', 'Update'), useMay('smart_link', 'Update')]
  return schedules && links
}

/** Banner for a home's paused automations, with end, reason, user and a resume button. */
export const PauseBanner: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  const may = useMayPause()
  const pause = usePause(HomeID)
  const resuming = useAction(automations.resumeAutomation)
  if (!pause) return null
  return (
    <Alert
      showIcon
      type="warning"
      role="status"
      message={
        pause.Until === null
          ? t('automation:rule.pause.resting')
          : t('automation:rule.pause.restingUntil', { at: formatWhen(pause.Until, language, zone) })
      }
      description={t('automation:rule.pause.why', {
        reason: pause.Reason,
        person: pause.By,
        at: formatWhen(pause.At, language, zone),
      })}
      {...(may && {
        action: (
          <Button
            loading={resuming.busy}
            onClick={() => void resuming.run({ HomeID }, () => words('automation:rule.pause.resumed'))}
          >
            {t('automation:rule.pause.resume')}
          </Button>
        ),
      })}
    />
  )
}

export const PauseButton: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const may = useMayPause()
  const pause = usePause(HomeID)
  const [isOpen, setOpen] = useState(false)
  if (!may || pause !== null) return null
  return (
    <>
      <Button icon={<PauseOutlined />} onClick={() => setOpen(true)}>
        {t('automation:rule.pause.button')}
      </Button>
      {isOpen && <PauseDialog HomeID={HomeID} close={() => setOpen(false)} />}
    </>
  )
}

const HOUR = 3_600_000

function PauseDialog({ HomeID, close }: { HomeID: string; close: () => void }) {
  const t = useT()
  const zone = useTimeZone(HomeID) ?? 'Asia/Taipei'
  const now = useNow()
  const [isOpenEnded, setOpenEnded] = useState(false)
  const [until, setUntil] = useState(() => toWallTimeInput(now + HOUR, zone))
  const [reason, setReason] = useState('')
  const pausing = useAction(automations.pauseAutomation, { feedback: 'fields' })
  const Until = isOpenEnded ? null : (fromWallTimeInput(until, zone) ?? 0)
  const isPast = Until !== null && Until <= now
  const ok = async () => {
    const isDone = await pausing.run({ HomeID, Until, Reason: reason.trim() }, () =>
      words('automation:rule.pause.done'),
    )
    if (isDone) close()
  }
  const [untilFault, reasonFault] = [
    isPast ? 'pastTime' : pausing.refused['Until'],
    pausing.refused['Reason'],
  ]
  return (
    <Modal
      open
      title={t('automation:rule.pause.title')}
      onCancel={close}
      cancelText={t('screens:cancel')}
      okText={t('automation:rule.pause.ok')}
      okButtonProps={{ disabled: reason.trim() === '' || isPast, loading: pausing.busy }}
      onOk={() => void ok()}
    >
      <p>{t('automation:rule.pause.text')}</p>
      <Form layout="vertical" component="div">
        <Form.Item label={t('automation:rule.pause.howLong')}>
          <Radio.Group
            aria-label={t('automation:rule.pause.howLong')}
            value={isOpenEnded}
            options={[
              { value: false, label: t('automation:rule.pause.untilMoment') },
              { value: true, label: t('automation:rule.pause.untilResumed') },
            ]}
            onChange={({ target }) => setOpenEnded(target.value as boolean)}
          />
        </Form.Item>
        {!isOpenEnded && (
          <Form.Item
            label={t('automation:rule.pause.until')}
            {...(untilFault && { validateStatus: 'error' as const, help: describeField(untilFault) })}
          >
            <MomentField
              minutes={15}
              zone={zone}
              label={t('automation:rule.pause.until')}
              value={until}
              change={setUntil}
            />
          </Form.Item>
        )}
        <Form.Item
          label={t('automation:rule.pause.reason')}
          {...(reasonFault && { validateStatus: 'error' as const, help: describeField(reasonFault) })}
        >
          <Input.TextArea
            autoSize
            aria-label={t('automation:rule.pause.reason')}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
