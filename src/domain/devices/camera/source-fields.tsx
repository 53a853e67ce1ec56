import { Button, Checkbox, Form, Input } from 'antd'
import type { FC, ReactNode } from 'react'
import { OptionalMark } from '../../../record-kit/record-form.tsx'
import { cameraAndIr, type CameraSource } from '../../../../contract/devices/camera-and-ir-calls.ts'
import { describeField } from '../../../data/failure.ts'
import { useAction, type Send } from '../../../data/use-action.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useRefusedFields } from '../../../ui/inputs/use-refused-fields.ts'
import { reasonFor } from '../../../record-kit/field-rules.ts'

const { shape } = cameraAndIr.casaAddPeripheralAdvanceInfo.input

/** Stream settings of a camera as entered; without a password the stored one is kept, an empty one removes it. */
export interface SourceInput {
  StreamUrl: string
  UserName: string | null
  Password?: string
}

interface Props {
  /** Stored settings, or null. */
  source: CameraSource | null
  action: string
  /** Form.Items before these fields. */
  children?: ReactNode
  submit: (input: SourceInput & Record<string, unknown>, send: Send) => Promise<void>
}

/** Fields for the address, user name and password of a camera. */
export const SourceFields: FC<Props> = ({ source, action, children, submit }) => {
  const t = useT()
  const [form] = Form.useForm()
  const { busy, refused, run } = useAction(
    async (input: SourceInput, send) => {
      await submit({ ...input }, send)
      form.resetFields(['Password', 'ForgetPassword'])
    },
    { feedback: 'fields' },
  )
  useRefusedFields(form, refused)
  const isPasswordCleared = Form.useWatch('ForgetPassword', form) === true

  const finish = ({ UserName, Password, ForgetPassword, ...values }: Record<string, unknown>) =>
    run({
      ...(values as { StreamUrl: string }),
      UserName: typeof UserName === 'string' && UserName.trim() !== '' ? UserName : null,
      ...(ForgetPassword
        ? { Password: '' }
        : typeof Password === 'string' && Password !== '' && { Password }),
    })

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={OptionalMark}
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
        <Input.Password maxLength={256} autoComplete="new-password" disabled={isPasswordCleared} />
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
