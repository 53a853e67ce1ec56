import { Alert, Button, Select, Steps, Form, Input } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { type ThingWithState, thing } from '../../../contract/devices/thing.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { useHubHosts } from '../../data/hub-address.ts'
import { useMe } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { connectionSettings } from '../../domain/devices/hub-credentials/hub-credentials.tsx'
import { type Product, PRODUCTS } from './guides.ts'
import styles from './hub-wizard.module.css'
import { ConnectionInstructions } from './connection-instructions.tsx'
import { Waiting } from './waiting.tsx'
import type { ResultsOf } from '../../data/api.ts'
import { describeField } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'

interface NameHubProps {
  homeId: string
  rooms: readonly Room[]
  name: string
  back: () => void
  onCreated: (hub: ResultsOf<typeof thing.operations.create>) => void
}

const checkName = (_: unknown, value: unknown) => {
  const reason = reasonFor(thing.record.shape.DeviceName, value)
  return reason ? Promise.reject(new Error(describeField(reason, 'DeviceName'))) : Promise.resolve()
}

/** Form for name and room of a new hub; creating it creates its secret. */
const NameHub: FC<NameHubProps> = ({ homeId, rooms, name, back, onCreated }) => {
  const t = useT()
  const { busy, run } = useAction(thing.operations.create)
  const add = async (values: { DeviceName: string; RoomID: number }) => {
    const hub = await run({ HomeID: homeId, ...values })
    if (hub) onCreated(hub)
  }
  return (
    <Form layout="vertical" onFinish={add} initialValues={{ RoomID: 0, DeviceName: name }}>
      <Form.Item
        name="DeviceName"
        label={t('resources:thing.fields.DeviceName')}
        validateTrigger={['onBlur', 'onSubmit']}
        rules={[{ validator: checkName }]}
      >
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="RoomID" label={t('resources:thing.fields.RoomID')}>
        <FormSelect options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))} />
      </Form.Item>
      <div className={page.actions}>
        <Button onClick={back}>{t('screens:addDevice.back')}</Button>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('screens:addDevice.addHub')}
        </Button>
      </div>
    </Form>
  )
}

/** Products as cards, with what each needs. */
const ChooseProduct: FC<{ choose: (product: Product) => void }> = ({ choose }) => {
  const t = useT()
  return (
    <>
      <h2>{t('setup:hub.ask')}</h2>
      <ul className={page.fields}>
        {PRODUCTS.map((product) => (
          <li key={product}>
            <button
              type="button"
              className={`${page.option} ${page.field} ${page.padded} ${page.fill}`}
              onClick={() => choose(product)}
            >
              <b>{t(`setup:hub.products.${product}.name`)}</b>
              <small>{t(`setup:hub.products.${product}.text`)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const STEPS = ['product', 'name', 'putIn'] as const

interface MadeHub {
  ThingName: string
  HomeID: string
  Secret: string
}

interface Props {
  homeId: string
  rooms: readonly Room[]
  hubs: readonly ThingWithState[]
  /** Number of devices that a hub has announced and that are not added yet. */
  foundOf: (thingName: string) => number
  next: (thingName: string) => void
  /** Cameras and remotes need no hub of their own. */
  toCameras: () => void
  children?: ReactNode
}

/** Connects a hub: product, name, instructions, and waiting until it has announced its devices. */
export const HubWizard: FC<Props> = (props) => {
  const { homeId, rooms, hubs, foundOf, next, toCameras, children } = props
  const t = useT()
  const [product, setProduct] = useState<Product>()
  const [createdHub, setCreatedHub] = useState<MadeHub>()
  const step = createdHub ? 2 : product ? 1 : 0
  const nameOf = (of: Product) => {
    if (of === 'own') return ''
    return of === 'simulated' ? t('setup:hub.simulatedName') : t(`setup:hub.products.${of}.name`)
  }
  const choose = (selectedProduct: Product) =>
    selectedProduct === 'camera' ? toCameras() : setProduct(selectedProduct)
  return (
    <div className={page.stack}>
      <Steps
        className={styles.steps ?? ''}
        size="small"
        responsive={false}
        labelPlacement="vertical"
        current={step}
        items={STEPS.map((name) => ({ title: t(`setup:hub.steps.${name}`) }))}
      />
      {!product && (
        <>
          <ChooseProduct choose={choose} />
          {children}
        </>
      )}
      {product && !createdHub && (
        <NameHub
          homeId={homeId}
          rooms={rooms}
          name={nameOf(product)}
          back={() => setProduct(undefined)}
          onCreated={setCreatedHub}
        />
      )}
      {product && createdHub && (
        <>
          <Connect product={product} createdHub={createdHub} />
          <h2>{t('setup:hub.waiting')}</h2>
          <Waiting
            homeId={homeId}
            thingName={createdHub.ThingName}
            hub={hubs.find(({ ThingName }) => ThingName === createdHub.ThingName)}
            foundCount={foundOf(createdHub.ThingName)}
          />
          <div className={page.actions}>
            <Button
              onClick={() => {
                setCreatedHub(undefined)
                setProduct(undefined)
              }}
            >
              {t('setup:hub.another')}
            </Button>
            <Button
              type={foundOf(createdHub.ThingName) > 0 ? 'primary' : 'default'}
              onClick={() => next(createdHub.ThingName)}
            >
              {t('screens:addDevice.toFound')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** Instructions with the gateway's address; a choice if several are possible. */
const Connect: FC<{ product: Product; createdHub: MadeHub }> = ({ product, createdHub }) => {
  const t = useT()
  const rootId = useMe()?.RootCognitoId ?? ''
  const hosts = useHubHosts()
  const [selectedGuide, setSelectedGuide] = useState<string>()
  if (!hosts.data)
    return hosts.error ? (
      <LoadFailed error={hosts.error} retry={() => void hosts.refetch()} />
    ) : (
      <ListSkeleton rows={4} />
    )
  const { Hosts, Port, Tls, Reachable } = hosts.data
  const [first] = Hosts
  // Works on the gateway's own machine, if no other address is known.
  const host = selectedGuide ?? first?.Address ?? '127.0.0.1'
  const kind = Hosts.find(({ Address }) => Address === host)?.Kind
  return (
    <>
      {Reachable === 'thisComputer' && (
        <Alert
          showIcon
          type="warning"
          message={t('setup:hub.onlyHere')}
          description={t('setup:hub.openIt', { setting: 'MQTT_HOST=0.0.0.0' })}
        />
      )}
      {Reachable === 'all' && !first && (
        <Alert showIcon type="warning" message={t('setup:hub.noHost', { setting: 'HUB_URL=mqtt://…' })} />
      )}
      {kind === 'container' && (
        <Alert showIcon type="warning" message={t('setup:hub.container', { setting: 'HUB_URL=mqtt://…' })} />
      )}
      {Hosts.length > 1 && (
        <label className={page.column}>
          {t('setup:hub.whichHost')}
          <Select
            value={host}
            options={Hosts.map(({ Address, Kind }) => ({
              value: Address,
              label: t('setup:hub.hostOf', { address: Address, kind: t(`setup:hub.kinds.${Kind}`) }),
            }))}
            onChange={(value: string | null) => setSelectedGuide(value ?? undefined)}
          />
        </label>
      )}
      <ConnectionInstructions
        product={product}
        tls={Tls}
        settings={connectionSettings({
          host,
          port: Port,
          rootId,
          homeId: createdHub.HomeID,
          thingName: createdHub.ThingName,
          secret: createdHub.Secret,
        })}
      />
    </>
  )
}
