import { Alert, Collapse, Input, QRCode, Button } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import {
  settingsAsJson,
  type ConnectionSetting,
  SettingList,
} from '../../domain/devices/hub-credentials/hub-credentials.tsx'
import {
  bridgeCommand,
  isBridged,
  MODBUS_COMMAND,
  modbusFile,
  readBroker,
  settingsPages,
  simulatedCommand,
  simulatedFile,
  type BridgedProduct,
  type Product,
  type GuideField,
} from './guides.ts'
import styles from './hub-wizard.module.css'
import { DownloadOutlined } from '@ant-design/icons'
import { saveFile } from '../../lib/save-file.ts'
import { CopyButton } from '../../ui/inputs/copy-button.tsx'

/** Fields of another product's settings page, in its order and words; states which keep the product's default. */
const GuideFields: FC<{ fields: readonly GuideField[] }> = ({ fields }) => {
  const t = useT()
  return (
    <dl className={styles.fields}>
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt lang="en">{label}</dt>
          <dd>
            {value === undefined ? (
              <span className={page.muted}>{t('setup:hub.asItIs')}</span>
            ) : (
              <>
                <code>{value}</code>
                {value !== '✓' && <CopyButton value={value} label={label} />}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Text to copy or save with its secret covered until it is revealed; a copy contains the secret. */
const CoveredText: FC<{ text: string; secret: string; label: string; file?: string }> = (props) => {
  const { text, secret, label, file } = props
  const t = useT()
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <pre className={`${page.sunken} ${styles.text}`}>
        {isShown ? text : text.replaceAll(secret, '••••••••')}
      </pre>
      <div className={page.buttons}>
        <CopyButton value={text} label={label}>
          {t('screens:copy', { what: label })}
        </CopyButton>
        {file !== undefined && (
          <Button icon={<DownloadOutlined />} onClick={() => saveFile(file, text, 'text/plain')}>
            {t('setup:hub.download', { file })}
          </Button>
        )}
        <Button type="text" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
          {t(isShown ? 'setup:hub.cover' : 'setup:hub.uncover')}
        </Button>
      </div>
    </>
  )
}

interface Props {
  product: Product
  settings: readonly ConnectionSetting[]
  tls: boolean
}

export const ConnectionInstructions: FC<Props> = ({ product, settings, tls }) => {
  const t = useT()
  const secret = settings.find(({ name }) => name === 'password')?.value ?? ''
  return (
    <div className={page.stack}>
      <Alert type="warning" showIcon message={t('screens:addDevice.once')} />
      {isBridged(product) && <BridgeGuide product={product} settings={settings} tls={tls} secret={secret} />}
      {product === 'modbusTcp' && (
        <FileGuide
          introduction={t('setup:hub.modbus')}
          file={modbusFile(settings, tls)}
          command={MODBUS_COMMAND}
          secret={secret}
        />
      )}
      {product === 'simulated' && (
        <FileGuide
          introduction={t('setup:hub.simulated')}
          file={simulatedFile(settings, (device) => t(`setup:hub.devices.${device}`))}
          command={simulatedCommand(settings, tls)}
          secret={secret}
        />
      )}
      {product === 'own' ? (
        <SettingList settings={settings} tls={tls} />
      ) : (
        <Collapse
          items={[
            {
              key: 'engineers',
              label: t('setup:hub.engineers'),
              children: <SettingList settings={settings} tls={tls} />,
            },
          ]}
        />
      )}
      <PhoneCode value={settingsAsJson(settings, tls)} />
    </div>
  )
}

/** The product's settings page, and the bridge that forwards its broker's messages. */
const BridgeGuide: FC<Props & { product: BridgedProduct; secret: string }> = ({
  product,
  settings,
  tls,
  secret,
}) => {
  const t = useT()
  const [text, setText] = useState('')
  const broker = readBroker(text)
  const name = t(`setup:hub.products.${product}.name`)
  const settingsPage = broker && settingsPages[product](broker)
  return (
    <>
      <label className={page.column}>
        {t('setup:hub.broker')}
        <Input
          value={text}
          placeholder="mqtt://192.168.1.10:1883"
          autoComplete="off"
          spellCheck={false}
          status={text.trim() !== '' && !broker ? 'error' : ''}
          onChange={(event) => setText(event.target.value)}
        />
        <small className={page.muted}>{t('setup:hub.brokerNote')}</small>
      </label>
      {settingsPage && (
        <section className={page.tightStack}>
          <h3>{t('setup:hub.ofProduct', { name, path: settingsPage.path })}</h3>
          <GuideFields fields={settingsPage.fields} />
          {settingsPage.file && (
            <CoveredText
              text={settingsPage.file.text}
              secret={broker.password || '\0'}
              label={settingsPage.file.name}
            />
          )}
        </section>
      )}
      <section className={page.tightStack}>
        <h3>{t('setup:hub.bridge')}</h3>
        <p className={page.note}>{t('setup:hub.bridgeNote')}</p>
        <CoveredText
          text={bridgeCommand(settings, tls, broker)}
          secret={secret}
          label={t('setup:hub.command')}
        />
      </section>
    </>
  )
}

/** File for a program of this product, and the command that starts it. */
const FileGuide: FC<{
  introduction: string
  file: { name: string; text: string }
  command: string
  secret: string
}> = ({ introduction, file, command, secret }) => {
  const t = useT()
  return (
    <section className={page.tightStack}>
      <p className={page.note}>{introduction}</p>
      <CoveredText text={file.text} secret={secret} label={file.name} file={file.name} />
      <CoveredText text={command} secret={secret} label={t('setup:hub.command')} />
    </section>
  )
}

/** QR code with the settings for a phone, covered until it is revealed, because bystanders could scan it. */
const PhoneCode: FC<{ value: string }> = ({ value }) => {
  const t = useT()
  return (
    <Collapse
      items={[
        {
          key: 'qr',
          label: t('setup:hub.qr'),
          children: (
            <div className={page.field}>
              <QRCode value={value} size={220} color="#000" bgColor="#fff" errorLevel="L" />
              <small className={page.muted}>{t('setup:hub.qrNote')}</small>
            </div>
          ),
        },
      ]}
    />
  )
}
