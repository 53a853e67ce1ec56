import { Button, Card, InputNumber, Select } from 'antd'
import { useId, useState } from 'react'
import { type Budget, insight } from '../../../contract/energy/insight-calls.ts'
import { describeField } from '../../data/failure.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import styles from './insight.module.css'

/** Unit and period of a budget. */
const KINDS = ['kWh-month', 'kWh-bill', 'TWD-bill'] as const
type Kind = (typeof KINDS)[number]

/** Form for a home's budget; read-only without the right to change it. */
export function BudgetForm({ homeId, budget }: { homeId: string; budget: Budget | null }) {
  const t = useT()
  const id = useId()
  const figures = useEnergyFormat()
  const may = useMay('electricity', 'Update')
  const { busy, refused, run } = useAction(insight.updateBudget, { shows: 'fields' })
  const [kind, setKind] = useState<Kind>(budget ? (`${budget.Unit}-${budget.Period}` as Kind) : 'TWD-bill')
  const [amount, setAmount] = useState<number | null>(budget?.Amount ?? null)
  const [Unit, Period] = kind.split('-') as [Budget['Unit'], Budget['Period']]
  const save = (next: Budget | null) =>
    void run({ HomeID: homeId, Budget: next, Seen: budget }, () =>
      tNow(next ? 'insight:budget.saved' : 'insight:budget.removed'),
    )
  return (
    <Card title={t('insight:budget.title')}>
      <div className={page.stack}>
        <p className={page.note}>{t('insight:budget.why')}</p>
        {may ? (
          <form
            className={page.row}
            onSubmit={(event) => {
              event.preventDefault()
              if (amount !== null) save({ Unit, Period, Amount: amount })
            }}
          >
            <Select
              aria-label={t('insight:budget.kind')}
              value={kind}
              popupMatchSelectWidth={false}
              onChange={setKind}
              options={KINDS.map((value) => ({ value, label: t(`insight:budget.kinds.${value}`) }))}
            />
            <label className="visually-hidden" htmlFor={`${id}amount`}>
              {t('insight:budget.amount')}
            </label>
            <InputNumber
              id={`${id}amount`}
              className={styles.amount ?? ''}
              min={0}
              value={amount}
              onChange={setAmount}
              suffix={Unit === 'TWD' ? 'NT$' : 'kWh'}
            />
            <Button type="primary" htmlType="submit" disabled={amount === null || amount <= 0} loading={busy}>
              {t('insight:budget.set')}
            </Button>
            {budget && (
              <Button disabled={busy} onClick={() => save(null)}>
                {t('insight:budget.remove')}
              </Button>
            )}
          </form>
        ) : (
          <p>
            {budget
              ? t('insight:budget.is', {
                  kind: t(`insight:budget.kinds.${budget.Unit}-${budget.Period}` as never),
                  amount: figures(budget.Amount),
                })
              : t('insight:budget.none')}
          </p>
        )}
        {Object.entries(refused).map(([path, reason]) => (
          <p key={path} className={page.fault} role="alert">
            {describeField(reason, path)}
          </p>
        ))}
      </div>
    </Card>
  )
}
