import { Input, InputNumber, Switch } from 'antd'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { FormSelect } from '../ui/inputs/form-select.tsx'
import { maxLengthOf, unwrap } from './field-rules.ts'

/** The plain input of a schema: text, number, switch or choice. What needs more is given to the form by its screen. */
export function inputFor(schema: z.ZodType): ReactNode {
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
