import { Alert, Form, type FormInstance, Input, InputNumber, Switch } from 'antd'
import { useState, type ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import { z } from 'zod'
import type { ResourceName } from '../../contract/index.ts'
import { describeFailure, describeField } from '../data/failure.ts'
import { callErrorIn } from '../data/post.ts'
import styles from './form.module.css'
import { isRequired, reasonFor, maxLengthOf, unwrap } from './field-rules.ts'
import type { AnyRow } from './resource-types.ts'
import { FormSelect } from '../ui/inputs/form-select.tsx'

/** A field by name, or with what is special about it. */
export type FormField =
  | string
  | {
      name: string
      /** `resources.<name>.fields.<field>` when left out. */
      label?: string
      input: ReactNode
      /** Of a field that the call does not know by this name. */
      rule?: z.ZodType
      hint?: string
      valuePropName?: string
      /** Takes a whole line of a form with columns. */
      wide?: boolean
      /** What it says of a record, where that is not the value itself. */
      said?: (record: AnyRow) => string | null
    }

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
  /** It can be read only. */
  disabled?: boolean
  /** The field of the form that a field of the call stands in, where it is another one. */
  names?: Readonly<Record<string, string>> | undefined
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
  disabled,
  names = {},
  children,
}: Props) {
  const [failure, setFailure] = useState<unknown>()

  async function finish(values: Record<string, unknown>) {
    setFailure(undefined)
    try {
      await submit(values)
    } catch (error) {
      const shown = Object.entries(callErrorIn(error)?.fields ?? {})
        .map(([path, reason]) => ({ name: names[path] ?? path, errors: [describeField(reason, path)] }))
        .filter(({ name }) => fields.some((field) => nameOf(field) === name))
      form.setFields(shown)
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
      {...(disabled !== undefined && { disabled })}
      scrollToFirstError
    >
      {failure !== undefined && (
        <Alert type="error" showIcon message={describeFailure(failure)} style={{ marginBottom: 16 }} />
      )}
      <div className={columns ? styles.columns : undefined}>
        {fields.map((field) => (
          <FieldItem key={nameOf(field)} resource={resource} schema={schema} field={field} />
        ))}
      </div>
      {children}
    </Form>
  )
}

function FieldItem({ resource, schema, field }: Pick<Props, 'resource' | 'schema'> & { field: FormField }) {
  const t = useT()
  const name = nameOf(field)
  const { label, input, hint, valuePropName, wide, ...own } =
    typeof field === 'string' ? ({} as Special) : field
  const rule = own.rule ?? (schema.shape[name] as z.ZodType)
  return (
    <Form.Item
      name={name}
      label={label ?? t(`resources:${resource}.fields.${name}`)}
      required={isRequired(rule) || !mayBeMarked(field)}
      className={wide ? styles.wide : undefined}
      validateTrigger={['onBlur', 'onSubmit']}
      {...(hint && { extra: hint })}
      {...(valuePropName && { valuePropName })}
      rules={[
        {
          validator: (_, value: unknown) => {
            const reason = reasonFor(rule, value)
            return reason ? Promise.reject(new Error(describeField(reason, name))) : Promise.resolve()
          },
        },
      ]}
    >
      {input ?? inputFor(rule)}
    </Form.Item>
  )
}
type Special = Partial<Exclude<FormField, string>>

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

/** The plain input of a schema: text, number, switch or choice. What needs more is given to the form by its screen. */
function inputFor(schema: z.ZodType): ReactNode {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodBoolean) return <Switch />
  if (inner instanceof z.ZodNumber)
    return (
      <InputNumber
        min={inner.minValue ?? undefined}
        max={inner.maxValue ?? undefined}
        style={{ width: '100%' }}
      />
    )
  if (inner instanceof z.ZodEnum)
    return <FormSelect options={inner.options.map((value) => ({ value, label: String(value) }))} />
  const length = maxLengthOf(schema)
  return <Input maxLength={length} showCount={length !== undefined && length <= 64} />
}
