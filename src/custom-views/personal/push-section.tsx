import { formatWhen } from '../../../contract/time/format-time.ts'
import { Alert, Button, Card, Skeleton } from 'antd'
import { useState } from 'react'
import { push, type PushSubscriptionRecord } from '../../../contract/notifications/push-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { describeFailure } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { formatAge } from '../../lib/format-age.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import { nativeDevice } from '../../native/app.ts'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './personal.module.css'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { type BrowserPush, type ThisBrowserState, useThisBrowser } from './use-this-browser.ts'
import { readUserAgent } from './user-agent.ts'

const TONES: Record<ThisBrowserState, Tone> = {
  on: 'good',
  off: 'plain',
  denied: 'warning',
  homeScreen: 'warning',
  unsupported: 'plain',
  app: 'good',
}

/** Push in this browser, a test with its outcome, and the user's other browsers. */
export default function PushSection() {
  const t = useT()
  const browser = useThisBrowser()
  const { state } = browser
  const { Model } = useStore(nativeDevice) ?? {}
  const device = typeof Model === 'string' ? Model : t('push:setting.thisDevice')
  return (
    <>
      <Card className={page.above16} title={t('push:setting.title')}>
        <p className={`${page.note} ${page.below12}`}>{t('push:setting.note')}</p>
        <StateTag tone={TONES[state]}>{t(`push:setting.state.${state}`)}</StateTag>
        <p className={page.note}>{t(`push:setting.explain.${state}`, { device })}</p>
        {(state === 'on' || state === 'off') && (
          <Button
            type={state === 'off' ? 'primary' : 'default'}
            className={page.above16}
            loading={browser.busy}
            onClick={() => browser.switchPush(state === 'off')}
          >
            {t(state === 'off' ? 'push:setting.turnOn' : 'push:setting.turnOff')}
          </Button>
        )}
      </Card>
      <Browsers {...browser} />
    </>
  )
}

function Browsers({ browsers, error, refetch, endpointHash }: BrowserPush) {
  const t = useT()
  return (
    <Card className={page.above16} title={t('push:browsers.title')}>
      <p className={`${page.note} ${page.below12}`}>{t('push:browsers.note')}</p>
      {!browsers && error ? (
        <div role="alert">
          <p>{t('push:browsers.failed')}</p>
          <p className={`${page.note} ${page.below12}`}>{describeFailure(error)}</p>
          <Button onClick={() => void refetch()}>{t('push:browsers.retry')}</Button>
        </div>
      ) : (
        !browsers && <Skeleton active title={false} paragraph={{ rows: 2 }} />
      )}
      {browsers?.length === 0 && <p className={page.note}>{t('push:browsers.empty')}</p>}
      {browsers && browsers.length > 0 && (
        <ul className={`${page.rows} ${page.spreadRows}`}>
          {browsers.map((subscription) => (
            <Line
              key={subscription.SubscriptionID}
              one={subscription}
              isHere={subscription.EndpointHash === endpointHash}
            />
          ))}
        </ul>
      )}
      {browsers && <Test />}
    </Card>
  )
}

function Line({ one: subscription, isHere }: { one: PushSubscriptionRecord; isHere: boolean }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const remove = useAction(push.deletePushSubscription)
  const { browser, system } = readUserAgent(subscription.UserAgent)
  const name =
    browser && system
      ? t('push:browsers.named', { browser, system })
      : (browser ?? system ?? t('push:browsers.unknown'))
  const since = formatWhen(subscription.Since, language, undefined)
  return (
    <li>
      <div>
        <div className={page.row}>
          <strong title={subscription.UserAgent}>{name}</strong>
          {isHere && <StateTag tone="good">{t('push:browsers.current')}</StateTag>}
        </div>
        <div className={page.small}>
          {subscription.LastSentAt === null
            ? t('push:browsers.neverSent')
            : t('push:browsers.lastSent', { age: formatAge(subscription.LastSentAt, now, language) })}
          {' · '}
          {t('push:browsers.since', { date: since })}
        </div>
      </div>
      {/* This browser has its own switch above, which also ends its subscription. */}
      {!isHere && (
        <Button
          loading={remove.busy}
          aria-label={t('push:browsers.removeNamed', { name })}
          onClick={() =>
            void remove.run({ SubscriptionID: subscription.SubscriptionID }, () =>
              tNow('push:browsers.removed'),
            )
          }
        >
          {t('push:browsers.remove')}
        </Button>
      )}
    </li>
  )
}

/** Sends a test to all browsers of the user, and shows the answers of the push services. */
function Test() {
  const t = useT()
  const [outcome, setOutcome] = useState<ResultsOf<typeof push.testWebPush>>()
  const test = useAction(push.testWebPush, { feedback: 'failure' })
  const send = async () => {
    setOutcome(undefined)
    setOutcome(await test.run({}))
  }
  return (
    <div className={`${page.tightStack} ${styles.form}`}>
      <Button className={page.above16} loading={test.busy} onClick={() => void send()}>
        {t('push:test.send')}
      </Button>
      <div aria-live="polite">
        {outcome && <Outcome {...outcome} />}
        {!test.busy && test.failure !== undefined && (
          <Alert
            type="error"
            showIcon
            message={
              callErrorIn(test.failure)?.failure === 'LIMIT_EXCEEDED'
                ? t('push:test.tooOften')
                : describeFailure(test.failure)
            }
          />
        )}
      </div>
    </div>
  )
}

function Outcome({ Sent, Gone, Failed }: ResultsOf<typeof push.testWebPush>) {
  const t = useT()
  if (Sent + Gone + Failed === 0) return <Alert type="info" showIcon message={t('push:test.none')} />
  return (
    <>
      {Sent > 0 && <Alert type="success" showIcon message={t('push:test.sent', { count: Sent })} />}
      {Gone > 0 && <Alert type="warning" showIcon message={t('push:test.gone', { count: Gone })} />}
      {Failed > 0 && <Alert type="error" showIcon message={t('push:test.failed', { count: Failed })} />}
    </>
  )
}
