import { DownloadOutlined, UserDeleteOutlined } from '@ant-design/icons'
import { Form, Input } from 'antd'
import { useState } from 'react'
import { personData } from '../../../contract/people/person-data-calls.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { savePersonData } from './save-person-data.ts'
import { describeField, describeFailure } from '../../data/failure.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import page from '../../ui/page/page.module.css'
import { IconButton } from '../../ui/page/icon-button.tsx'

interface Props {
  of: PersonKey
  name: string
  email: string
  /** Whether the person can be erased: not the owner, nor the current user. */
  mayErase?: boolean
  erased: () => void
}

const featureOf = (key: PersonKey) =>
  'CognitoId' in key ? 'user' : 'EmployeeID' in key ? 'access_control_employee' : 'access_control_visitor'

/** Items of a menu that export or erase the data stored about a person; shown only to users with the rights. */
export function PersonDataButtons({ of, name, email, mayErase = true, erased }: Props) {
  const t = useT()
  const feature = featureOf(of)
  const mayExport = [useMay(feature, 'Export'), useMay('company', 'Control')].every(Boolean)
  const mayDelete = useMay(feature, 'Delete') && mayErase
  const [isConfirming, setIsConfirming] = useState(false)
  const copy = useAction(async (key: PersonKey, send) => {
    const data =
      'CognitoId' in key
        ? await send(personData.exportUserData, key)
        : 'EmployeeID' in key
          ? await send(personData.exportEmployeeData, key)
          : await send(personData.exportVisitorData, key)
    return savePersonData(name, data)
  })
  return (
    <>
      {mayExport && (
        <IconButton
          icon={<DownloadOutlined />}
          label={t('screens:personData.export')}
          loading={copy.busy}
          onPress={() => void copy.run(of, () => tNow('screens:personData.saved'))}
        />
      )}
      {mayDelete && (
        <IconButton
          danger
          icon={<UserDeleteOutlined />}
          label={t('screens:personData.erase')}
          onPress={() => setIsConfirming(true)}
        />
      )}
      {isConfirming && (
        <EraseDialog of={of} name={name} email={email} erased={erased} close={() => setIsConfirming(false)} />
      )}
    </>
  )
}

/** Key of the record that identifies a person. */
type PersonKey = { CognitoId: string } | { EmployeeID: string } | { VisitorID: string }

interface EraseDialogProps {
  of: PersonKey
  name: string
  email: string
  erased: () => void
  close: () => void
}

/** Dialog that erases a person's data after the user types their email or name. */
function EraseDialog({ of, name, email, erased, close }: EraseDialogProps) {
  const t = useT()
  const [confirmation, setConfirmation] = useState('')
  const erase = useAction(
    (Confirmation: string, send) =>
      'CognitoId' in of
        ? send(personData.eraseUserData, { ...of, Confirmation })
        : 'EmployeeID' in of
          ? send(personData.eraseEmployeeData, { ...of, Confirmation })
          : send(personData.eraseVisitorData, { ...of, Confirmation }),
    { feedback: 'both' },
  )
  const isReady = [email, name].some(
    (text) => text && text.toLowerCase() === confirmation.trim().toLowerCase(),
  )
  const [refusal] = Object.values(erase.refused)
  const submit = async () => {
    if (!isReady) return
    const isDone = await erase.run(confirmation.trim(), ({ Pseudonym }) =>
      tNow('screens:personData.erased', { pseudonym: Pseudonym }),
    )
    if (!isDone) return
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
