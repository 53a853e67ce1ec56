import { Alert, Form, type FormInstance } from 'antd'
import { useState, type ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import type { z } from 'zod'
import type { ResourceName } from '../../contract/index.ts'
import { describeFailure, describeField } from '../data/failure.ts'
import { CallError, callErrorIn } from '../data/post.ts'
import styles from './crud.module.css'
import { inputFor } from './field-input.tsx'
import { isRequired, reasonFor } from './field-rules.ts'

/** A field by name, or with an input of its own; `wide` takes a whole line of a form with columns. */
export type FormField = string | { name: string; input: ReactNode; valuePropName?: string; wide?: boolean }

interface Props {
  /** Names the labels: `resources.<name>.fields`. */
  resource: ResourceName | 'company'
  /** Schema of what is sent: its fields' rules are the form's. */
  schema: z.ZodObject
  fields: readonly FormField[]
  form: FormInstance
  initial?: Record<string, unknown> | undefined
  /** Rejects with CallError or Refine's HttpError; its field errors are shown at their fields, anything else above the form. */
  submit: (values: Record<string, unknown>) => Promise<void>
  onDirty?: (dirty: boolean) => void
  /** Two fields a line where there is room. */
  columns?: boolean
  children?: ReactNode
}

/** A form whose rules come from the contract's schema and whose labels from `resources.<name>.fields`. */
export function RecordForm({
  resource,
  schema,
  fields,
  form,
  initial,
  submit,
  onDirty,
  columns,
  children,
}: Props) {
  const t = useT()
  const [failure, setFailure] = useState<unknown>()

  async function finish(values: Record<string, unknown>) {
    setFailure(undefined)
    try {
      await submit(values)
    } catch (error) {
      const known = Object.entries(callErrorIn(error)?.fields ?? {})
      const shown = known.filter(([path]) => fields.some((field) => nameOf(field) === path))
      // What came through Refine's data provider stands at its fields already.
      if (error instanceof CallError)
        form.setFields(shown.map(([name, reason]) => ({ name, errors: [describeField(reason)] })))
      if (shown.length === 0) setFailure(error)
    }
  }

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={initial}
      onFinish={finish}
      onValuesChange={() => onDirty?.(true)}
      requiredMark={OptionalMark}
      scrollToFirstError
    >
      {failure !== undefined && (
        <Alert type="error" showIcon message={describeFailure(failure)} style={{ marginBottom: 16 }} />
      )}
      <div className={columns ? styles.columns : undefined}>
        {fields.map((field) => {
          const name = nameOf(field)
          const rule = schema.shape[name] as z.ZodType
          return (
            <Form.Item
              key={name}
              name={name}
              label={t(`resources:${resource}.fields.${name}` as 'resources:room.fields.RoomName')}
              required={isRequired(rule) || !mayBeMarked(field)}
              className={typeof field !== 'string' && field.wide ? styles.wide : undefined}
              validateTrigger={['onBlur', 'onSubmit']}
              {...(typeof field !== 'string' &&
                field.valuePropName && { valuePropName: field.valuePropName })}
              rules={[
                {
                  validator: (_, value: unknown) => {
                    const reason = reasonFor(rule, value)
                    return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
                  },
                },
              ]}
            >
              {typeof field === 'string' ? inputFor(rule) : field.input}
            </Form.Item>
          )
        })}
      </div>
      {children}
    </Form>
  )
}

/** Marks what may be left out; most fields may not. */
function OptionalMark(label: ReactNode, { required }: { required: boolean }) {
  return (
    <>
      {label}
      {!required && (
        <span style={{ color: 'var(--muted)' }}>
          &nbsp;
          <Optional />
        </span>
      )}
    </>
  )
}

const Optional = () => useT()('screens:form.optional')

/** A switch or a matrix always has a value: nothing of it can be left out. */
const mayBeMarked = (field: FormField) => typeof field === 'string' || (!field.wide && !field.valuePropName)

/** The name of a form's field. */
export const nameOf = (field: FormField) => (typeof field === 'string' ? field : field.name)
