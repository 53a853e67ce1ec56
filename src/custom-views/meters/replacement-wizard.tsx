import { Button, Card, Steps } from 'antd'
import { useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './meters.module.css'
import type { Guard, Place } from './place.ts'
import { CheckStep } from './replacement/check-step.tsx'
import { useReplacement } from './replacement/use-replacement.ts'
import { ValuesStep } from './replacement/values-step.tsx'
import { WhenStep } from './replacement/when-step.tsx'
import type { MetersAddress } from './use-address.ts'

const STEPS = ['when', 'values', 'check'] as const

/** Enters that a meter was replaced: which and when, what the old one showed last and the new one first, and what that changes. */
export function ReplacementWizard(props: { place: Place; address: MetersAddress; guard: Guard }) {
  const t = useT()
  const replacement = useReplacement(props)
  const [step, setStep] = useState(0)
  const { meter, placed, said, busy } = replacement
  const send = async () => {
    if (await replacement.send()) setStep(0)
  }
  return (
    <Card title={t('meters:replace.title')}>
      <div className={styles.stack}>
        <p className={styles.note}>{t('meters:replace.why')}</p>
        <Steps
          size="small"
          current={step}
          items={STEPS.map((one) => ({ title: t(`meters:replace.steps.${one}`) }))}
        />
        {step === 0 && <WhenStep replacement={replacement} />}
        {step === 1 && <ValuesStep replacement={replacement} />}
        {step === 2 && <CheckStep replacement={replacement} />}
        <div className={styles.row}>
          {step > 0 && <Button onClick={() => setStep(step - 1)}>{t('screens:addDevice.back')}</Button>}
          {step < 2 ? (
            <Button type="primary" disabled={step === 0 ? !placed : !said} onClick={() => setStep(step + 1)}>
              {t('screens:addDevice.next')}
            </Button>
          ) : (
            <Button
              type="primary"
              loading={busy}
              disabled={meter === undefined || !said}
              onClick={() => void send()}
            >
              {t('meters:replace.save')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}
