import { Form, Input } from 'antd'
import { useState } from 'react'
import { personData } from '../../../contract/people/person-data-calls.ts'
import { describeField, describeFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { Modal } from '../../ui/dialog/dialog.tsx'
import page from '../../ui/page/page.module.css'

/** Key of the record that identifies a person. */
export type PersonKey = { CognitoId: string } | { EmployeeID: string } | { VisitorID: string }

interface Props {
  of: PersonKey
  name: string
  email: string
  erased: () => void
  close: () => void
}

/** Dialog that erases a person's data after the user types their email or name. */
export function EraseDialog({ of, name, email, erased, close }: Props) {
  const t = useT()
  const [confirmation, setConfirmation] = useState('')
  const erase = useAction(
    (Confirmation: string, send) =>
      'CognitoId' in of
        ? send(personData.eraseUserData, { ...of, Confirmation })
        : 'EmployeeID' in of
          ? send(personData.eraseEmployeeData, { ...of, Confirmation })
          : send(personData.eraseVisitorData, { ...of, Confirmation }),
    { shows: 'both' },
  )
  const isReady = [email, name].some(
    (text) => text && text.toLowerCase() === confirmation.trim().toLowerCase(),
  )
  const [refusal] = Object.values(erase.refused)
  const submit = async () => {
    if (!isReady) return
    const done = await erase.run(confirmation.trim(), ({ Pseudonym }) =>
      tNow('screens:personData.erased', { pseudonym: Pseudonym }),
    )
    if (!done) return
    close()
    erased()
  }
  return (
    <Modal
      open
      title={t('screens:personData.eraseTitle', { name: name || email })}
      okText={t('screens:personData.erase')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ danger: true, disabled: !isReady }}
      confirmLoading={erase.busy}
      onOk={() => void submit()}
      onCancel={close}
    >
      <p>{t('screens:personData.eraseNote')}</p>
      <p>{t('screens:personData.eraseStays')}</p>
      <Form layout="vertical" onFinish={() => void submit()}>
        <Form.Item label={t('screens:personData.confirm', { email })} htmlFor="erase-confirmation" required>
          <Input
            id="erase-confirmation"
            autoComplete="off"
            maxLength={320}
            value={confirmation}
            onChange={({ target }) => {
              setConfirmation(target.value)
              erase.reset()
            }}
          />
        </Form.Item>
      </Form>
      {(refusal !== undefined || erase.failure !== undefined) && (
        <p role="alert" className={page.fault}>
          {refusal === undefined ? describeFailure(erase.failure) : describeField(refusal)}
        </p>
      )}
    </Modal>
  )
}
