import { Alert, Form, Input, InputNumber, Modal, Space, Switch } from 'antd'
import { useState, type FC } from 'react'
import {
  ConferenceRoom,
  conferenceRoom,
  type ConferenceRoomWithClock,
} from '../../../contract/resources/conference-room.ts'
import { CalendarLink } from '../../domain/booking/calendar-link.tsx'
import { call } from '../../data/api.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { changesBetween, RecordConflict } from '../../record-kit/record-conflict.tsx'
import { useBase } from '../../record-kit/use-base.ts'
import { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { useRoomWords } from './use-room-words.ts'

type Values = Omit<ConferenceRoom, 'ConferenceRoomID' | 'Version'>
const NEW: Partial<Values> = { Capacity: 6, HomeID: null, Equipment: '', Active: true, ReleaseAfter: 0 }

interface Props {
  /** The room to change, as it is now; a new one without. */
  room: ConferenceRoomWithClock | undefined
  close: () => void
}

/** A meeting room's fields, and of one that exists the addresses of its calendar and its door. */
export const ConferenceRoomForm: FC<Props> = ({ room, close }) => {
  const t = useT()
  const homes = useHomes()
  const guard = useLeaveGuard()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { base, theirs, stand, save: saveOnce } = useBase(room)
  const words = useRoomWords()

  const save = async (values: Values) => {
    const sent = { ...values, HomeID: values.HomeID ?? null }
    setBusy(true)
    setFailure(undefined)
    try {
      if (base) {
        const { ConferenceRoomID, Version } = base
        const input = { ConferenceRoomID, ...sent, Version }
        if (!(await saveOnce(() => call(conferenceRoom.operations.update, input)))) return
      } else await call(conferenceRoom.operations.create, sent)
      notices.success(() => t(room ? 'screens:updated' : 'screens:created'))
      guard.setDirty(false)
      close()
    } catch (error) {
      const fields = Object.entries(callErrorIn(error)?.fields ?? {})
      form.setFields(
        fields.map(([name, reason]) => ({ name: name as keyof Values, errors: [describeField(reason)] })),
      )
      if (fields.length === 0) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const by = (field: keyof Values) => ({
    validator: (_: unknown, value: unknown) => {
      const reason = reasonFor(ConferenceRoom.shape[field], value)
      return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
    },
  })

  return (
    <Modal
      open
      title={room ? t('screens:list.edit', { name: room.ConferenceRoomName }) : t('bookings:rooms.add')}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: theirs !== undefined }}
      maskClosable={false}
      onOk={() => form.submit()}
      onCancel={() => guard.ask(close)}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={room ?? NEW}
        onFinish={(values) => void save(values)}
        onValuesChange={() => guard.setDirty(true)}
      >
        {failure !== undefined && <Alert type="error" showIcon message={describeFailure(failure)} />}
        <Form.Item
          name="ConferenceRoomName"
          label={t('bookings:rooms.name')}
          required
          rules={[by('ConferenceRoomName')]}
        >
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item name="Capacity" label={t('bookings:rooms.capacity')} required rules={[by('Capacity')]}>
          <InputNumber min={1} max={10_000} precision={0} />
        </Form.Item>
        <Form.Item name="HomeID" label={t('bookings:rooms.home')} extra={t('bookings:rooms.homeHint')}>
          <FormSelect
            allowClear
            options={(homes ?? []).map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))}
          />
        </Form.Item>
        <Form.Item name="Equipment" label={t('bookings:rooms.equipment')} rules={[by('Equipment')]}>
          <Input maxLength={500} placeholder={t('bookings:rooms.equipmentHint')} />
        </Form.Item>
        <Form.Item
          htmlFor="ReleaseAfter"
          label={t('bookings:rooms.releaseAfter')}
          extra={t('bookings:rooms.releaseHint')}
        >
          <Space.Compact>
            <Form.Item noStyle name="ReleaseAfter" rules={[by('ReleaseAfter')]}>
              <InputNumber min={0} max={240} precision={0} />
            </Form.Item>
            <Space.Addon>{t('bookings:rooms.minutes')}</Space.Addon>
          </Space.Compact>
        </Form.Item>
        <Form.Item name="Active" label={t('bookings:rooms.open')} valuePropName="checked">
          <Switch />
        </Form.Item>
        {base && theirs && (
          <RecordConflict
            changes={changesBetween(base, theirs, words)}
            take={() => {
              form.setFieldsValue(theirs)
              guard.setDirty(false)
              stand(theirs)
            }}
            keep={() => stand(theirs)}
          />
        )}
      </Form>
      {room && (
        <div style={{ display: 'grid', gap: 12 }}>
          <CalendarLink kind="room" roomId={room.ConferenceRoomID} />
          <CalendarLink kind="door" roomId={room.ConferenceRoomID} />
        </div>
      )}
    </Modal>
  )
}
