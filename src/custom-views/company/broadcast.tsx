import { SendOutlined } from '@ant-design/icons'
import { Button, Card, Alert, Form, Input, Radio, Select } from 'antd'
import { COUNT_NEAR_LIMIT } from '../../ui/inputs/near-limit.ts'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { MAX_BROADCASTS_PER_DAY, push } from '../../../contract/notifications/push-calls.ts'
import { useT, t as tNow } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { department } from '../../../contract/people/department.ts'
import { callQuery } from '../../data/api.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useHomes } from '../../data/homes.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { maxLengthOf } from '../../record-kit/field-rules.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

const { Title, Text } = push.webPushBroadcast.input.shape
const SEVERITIES = ['info', 'warning'] as const

/** Entered values; without HomeID and departments the message goes to everyone. */
interface Draft {
  Title: string
  Text: string
  HomeID: string | undefined
  DepartmentIDs: string[]
  Severity: (typeof SEVERITIES)[number]
}
const EMPTY: Draft = { Title: '', Text: '', HomeID: undefined, DepartmentIDs: [], Severity: 'info' }

/** Sends a message to people of the company; asks for confirmation, because it cannot be undone. */
function BroadcastDialog({ close }: { close: () => void }) {
  const t = useT()
  const [draft, setDraft] = useState(EMPTY)
  const change = (changed: Partial<Draft>) => setDraft((former) => ({ ...former, ...changed }))
  const { busy, refused, failure, reset, run } = useAction(push.webPushBroadcast, { feedback: 'both' })
  const isReady = Title.safeParse(draft.Title).success && Text.safeParse(draft.Text).success

  const send = async () => {
    const { HomeID, DepartmentIDs, ...said } = draft
    const result = await run(
      { ...said, ...(HomeID && { HomeID }), ...(DepartmentIDs.length > 0 && { DepartmentIDs }) },
      ({ Recipients }) => tNow('push:broadcast.done', { count: Recipients }),
    )
    if (result) close()
  }
  const confirmSend = () => {
    reset()
    const isForAll = draft.HomeID === undefined && draft.DepartmentIDs.length === 0
    confirm({
      title: t('push:broadcast.ask', { title: draft.Title.trim() }),
      content: t(isForAll ? 'push:broadcast.askAll' : 'push:broadcast.askSome'),
      okText: t('push:broadcast.send'),
      cancelText: t('push:broadcast.cancel'),
      onOk: () => void send(),
    })
  }

  return (
    <Modal
      open
      title={t('push:broadcast.open')}
      okText={t('push:broadcast.send')}
      cancelText={t('push:broadcast.cancel')}
      okButtonProps={{ disabled: !isReady, loading: busy }}
      onOk={confirmSend}
      onCancel={close}
    >
      <Form layout="vertical" component="div">
        <Written draft={draft} change={change} refused={refused} />
        <Audience draft={draft} change={change} />
        <Form.Item label={t('screens:severity')}>
          <Radio.Group
            aria-label={t('screens:severity')}
            {...{ role: 'radiogroup' }}
            value={draft.Severity}
            options={SEVERITIES.map((value) => ({ value, label: t(`screens:severities.${value}`) }))}
            onChange={({ target }) => change({ Severity: target.value as Draft['Severity'] })}
          />
        </Form.Item>
      </Form>
      {failure !== undefined && (
        <Alert
          type="error"
          showIcon
          message={
            callErrorIn(failure)?.failure === 'LIMIT_EXCEEDED'
              ? t('push:broadcast.tooMany')
              : describeFailure(failure)
          }
        />
      )}
    </Modal>
  )
}

interface Part {
  draft: Draft
  change: (changed: Partial<Draft>) => void
}

function Written({ draft, change, refused }: Part & { refused: Readonly<Record<string, string>> }) {
  const t = useT()
  const fault = (field: 'Title' | 'Text') =>
    refused[field] && { validateStatus: 'error' as const, help: describeField(refused[field]) }
  return (
    <>
      <Form.Item label={t('push:broadcast.subject')} required {...fault('Title')}>
        <Input
          aria-label={t('push:broadcast.subject')}
          maxLength={maxLengthOf(Title)}
          showCount={COUNT_NEAR_LIMIT}
          value={draft.Title}
          onChange={({ target }) => change({ Title: target.value })}
        />
      </Form.Item>
      <Form.Item label={t('push:broadcast.text')} required {...fault('Text')}>
        <Input.TextArea
          aria-label={t('push:broadcast.text')}
          maxLength={maxLengthOf(Text)}
          showCount={COUNT_NEAR_LIMIT}
          autoSize={{ minRows: 3, maxRows: 8 }}
          value={draft.Text}
          onChange={({ target }) => change({ Text: target.value })}
        />
      </Form.Item>
    </>
  )
}

/** Selects recipients by home, and by department if the user may see departments. */
function Audience({ draft, change }: Part) {
  const t = useT()
  const homes = useHomes() ?? []
  const maySee = useMay('user', 'Read')
  const { data: departments = [] } = useQuery({
    ...callQuery(department.operations.list, {}),
    enabled: maySee,
  })
  return (
    <>
      <Form.Item label={t('push:broadcast.home')}>
        <Select
          aria-label={t('push:broadcast.home')}
          value={draft.HomeID ?? ''}
          showSearch
          filterOption={holdsLabel}
          options={[
            { value: '', label: t('push:broadcast.allHomes') },
            ...homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName })),
          ]}
          onChange={(HomeID) => change({ HomeID: HomeID || undefined })}
        />
        <p className={page.hint}>{t('push:broadcast.homeNote')}</p>
      </Form.Item>
      {departments.length > 0 && (
        <Form.Item label={t('push:broadcast.departments')}>
          <Select
            mode="multiple"
            aria-label={t('push:broadcast.departments')}
            placeholder={t('push:broadcast.allDepartments')}
            value={draft.DepartmentIDs}
            filterOption={holdsLabel}
            options={departments.map(({ DepartmentID, Department }) => ({
              value: DepartmentID,
              label: Department,
            }))}
            onChange={(DepartmentIDs) => change({ DepartmentIDs })}
          />
        </Form.Item>
      )}
    </>
  )
}

/** Card with a button for a message to the company's people, for users who may change the company. */
export default function Broadcast() {
  const t = useT()
  const [isWriting, setIsWriting] = useState(false)
  return (
    <Card title={t('push:broadcast.title')}>
      <p className={page.note}>{t('push:broadcast.note', { most: MAX_BROADCASTS_PER_DAY })}</p>
      <Button icon={<SendOutlined />} onClick={() => setIsWriting(true)}>
        {t('push:broadcast.open')}
      </Button>
      {isWriting && <BroadcastDialog close={() => setIsWriting(false)} />}
    </Card>
  )
}
