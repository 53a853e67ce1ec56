import { Button, Checkbox, Form, Input } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { cameraAndIr, type CameraSource } from '../../../contract/procedures/camera-and-ir.ts'
import { callErrorIn } from '../../data/post.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'

const { shape } = cameraAndIr.casaAddPeripheralAdvanceInfo.input

/** What a person says of a camera's stream; a password left out keeps the stored one, an empty one removes it. */
export interface SourceInput {
  StreamUrl: string
  UserName: string | null
  Password?: string
}

interface Props {
  /** What is stored, or null. */
  source: CameraSource | null
  action: string
  /** Fields that come before these, by their own Form.Items. */
  children?: ReactNode
  submit: (input: SourceInput & Record<string, unknown>) => Promise<void>
}

/** Address, user name and password of a camera. */
export const SourceFields: FC<Props> = ({ source, action, children, submit }) => {
  const t = useT()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)
  const forgets = Form.useWatch('ForgetPassword', form) === true

  const finish = async ({ UserName, Password, ForgetPassword, ...values }: Record<string, unknown>) => {
    setBusy(true)
    try {
      await submit({
        ...(values as { StreamUrl: string }),
        UserName: typeof UserName === 'string' && UserName.trim() !== '' ? UserName : null,
        ...(ForgetPassword
          ? { Password: '' }
          : typeof Password === 'string' && Password !== '' && { Password }),
      })
      form.resetFields(['Password', 'ForgetPassword'])
    } catch (error) {
      const fields = callErrorIn(error)?.fields
      if (fields)
        form.setFields(
          Object.entries(fields).map(([name, reason]) => ({ name, errors: [describeField(reason)] })),
        )
      else notices.error(() => describeFailure(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Form
      form={form}
      layout="vertical"
      autoComplete="off"
      initialValues={{ StreamUrl: source?.StreamUrl, UserName: source?.UserName }}
      onFinish={finish}
    >
      {children}
      <Form.Item
        name="StreamUrl"
        label={t('devices:camera.streamUrl')}
        extra={t('devices:camera.streamUrlNote')}
        validateTrigger={['onBlur', 'onSubmit']}
        rules={[
          {
            required: true,
            validator: (_, value: unknown) => {
              const reason = reasonFor(shape.StreamUrl, value ?? '')
              return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
            },
          },
        ]}
      >
        <Input inputMode="url" placeholder="http://192.168.1.20:8888/gate/index.m3u8" />
      </Form.Item>
      <Form.Item name="UserName" label={t('devices:camera.userName')}>
        <Input maxLength={128} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="Password"
        label={t('devices:camera.password')}
        extra={source?.HasPassword ? t('devices:camera.passwordKept') : undefined}
      >
        <Input.Password maxLength={256} autoComplete="new-password" disabled={forgets} />
      </Form.Item>
      {source?.HasPassword && (
        <Form.Item name="ForgetPassword" valuePropName="checked">
          <Checkbox>{t('devices:camera.forgetPassword')}</Checkbox>
        </Form.Item>
      )}
      <Button type="primary" htmlType="submit" loading={busy}>
        {action}
      </Button>
    </Form>
  )
}
