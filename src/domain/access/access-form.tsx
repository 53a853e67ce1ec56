import { Alert, Button, Form, type FormInstance } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Right } from '../../../contract/features.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay } from '../../data/session.ts'
import { MissingRight } from '../../shell/missing-right.tsx'
import { RecordConflict, type FieldChange } from '../../record-kit/record-conflict.tsx'
import { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import styles from './access.module.css'

/** What somebody else has saved since the form was filled. */
interface Conflict {
  changes: readonly FieldChange[]
  /** Theirs, as the form holds them. */
  values: object
  /** From now on the form stands on theirs. */
  stand: () => void
}

interface Props {
  form: FormInstance
  initial: object
  /** Sends; false when somebody else was first. Rejects with CallError, whose fields are shown at theirs. */
  submit: (values: Record<string, unknown>) => Promise<boolean | void>
  conflict?: Conflict | undefined
  /** Where it goes on when it is saved. */
  saved: () => void
  cancelTo: string
  /** What saving takes; without it the form can be read, and says why. */
  right: Right
  /** Nothing can be changed any more, whoever asks. */
  over?: boolean
  submitText: string
  /** Fields of a refusal that stand under another name in the form. */
  names?: Readonly<Record<string, string>>
  children: ReactNode
}

/** A form of access control: refusals at their fields, unsaved words guarded. */
export const AccessForm: FC<Props> = ({
  form,
  initial,
  submit,
  conflict,
  saved,
  cancelTo,
  right,
  over = false,
  submitText,
  names = {},
  children,
}) => {
  const t = useT()
  const navigate = useNavigate()
  const guard = useLeaveGuard()
  const may = useMay(right.feature, right.operation)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isHeld = conflict !== undefined && may && !over

  async function finish(values: Record<string, unknown>) {
    setBusy(true)
    setFailure(undefined)
    let isSaved: boolean
    try {
      isSaved = (await submit(values)) !== false
    } catch (error) {
      const refused = Object.entries(callErrorIn(error)?.fields ?? {}).map(([path, reason]) => ({
        name: names[path] ?? path,
        errors: [describeField(reason)],
      }))
      const shown = refused.filter(({ name }) => form.getFieldInstance(name) !== undefined || name in values)
      if (shown.length > 0) form.setFields(shown)
      else setFailure(error)
      setBusy(false)
      return
    }
    setBusy(false)
    if (!isSaved) return
    guard.setDirty(false)
    saved()
  }

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={initial}
      onFinish={finish}
      onValuesChange={() => guard.setDirty(true)}
      disabled={!may || over}
      scrollToFirstError
    >
      {!may && !over && <MissingRight right={right} />}
      {failure !== undefined && (
        <Alert type="error" showIcon message={describeFailure(failure)} style={{ marginBottom: 16 }} />
      )}
      <div className={styles.fields}>{children}</div>
      {isHeld && (
        <RecordConflict
          changes={conflict.changes}
          take={() => {
            form.setFieldsValue(conflict.values)
            guard.setDirty(false)
            conflict.stand()
          }}
          keep={conflict.stand}
        />
      )}
      <div className={styles.actions}>
        <Button disabled={false} onClick={() => void navigate(cancelTo)}>
          {t('screens:cancel')}
        </Button>
        <Button type="primary" htmlType="submit" loading={busy} disabled={!may || over || isHeld}>
          {submitText}
        </Button>
      </div>
    </Form>
  )
}
