import { formatFigure } from '../../../contract/kernel/numbers.ts'
import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Card, Typography, Alert, Form, Input, Progress, Select } from 'antd'
import { useState, type FC, useRef } from 'react'
import { ota, Firmware, MAX_FIRMWARE_BYTES } from '../../../contract/devices/ota-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { call } from '../../data/api.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { OptionalMark } from '../../record-kit/record-form.tsx'
import page from '../../ui/page/page.module.css'
import styles from '../../domain/ota/ota.module.css'
import { useTargetName } from './use-target-name.ts'
import { errorName } from '../../../contract/kernel/errors.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn, CallError } from '../../data/post.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { Modal } from '../../ui/page/dialog.tsx'

const MEGABYTE = 1_048_576

interface UploadDialogProps {
  /** Kinds that firmware can be for; the shown one first. */
  targets: readonly string[]
  close: (uploaded: boolean) => void
}

/** Uploads a firmware file to the library; checks the file before it is sent. */
const UploadDialog: FC<UploadDialogProps> = ({ targets, close }) => {
  const t = useT()
  const nameOf = useTargetName()
  const input = useRef<HTMLInputElement>(null)
  const [target, setTarget] = useState(targets[0] ?? 'hub')
  const [version, setVersion] = useState('')
  const [notes, setNotes] = useState('')
  const [file, setFile] = useState<File>()
  /** Problem of the file, independent of the other fields. */
  const [fault, setFault] = useState<string>()
  const [percent, setPercent] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [fieldErrors, setFieldErrors] = useState<Readonly<Record<string, string>>>({})

  const choose = (next: File | undefined) => {
    if (!next) return
    setFile(next)
    const megabytes = MAX_FIRMWARE_BYTES / MEGABYTE
    const fault =
      next.size === 0
        ? t('ota:upload.empty')
        : next.size > MAX_FIRMWARE_BYTES
          ? t('ota:upload.tooLarge', { megabytes })
          : undefined
    setFault(fault)
  }

  const upload = async () => {
    const reason = reasonFor(Firmware.shape.FirmwareVersion, version)
    const next = {
      ...((fault !== undefined || !file) && { file: fault ?? t('ota:upload.noFile') }),
      ...(reason && { FirmwareVersion: describeField(reason) }),
    }
    setFieldErrors(next)
    setProblem(undefined)
    if (!file || Object.keys(next).length > 0) return
    setPercent(0)
    try {
      const uploadInput = { Target: target, FirmwareVersion: version.trim(), Notes: notes, Size: file.size }
      const { UploadUrl } = await call(ota.uploadFirmware, uploadInput)
      const isDone = await uploadFile(UploadUrl, file, setPercent)
      if (!isDone.ok)
        return setProblem(
          isDone.code === undefined
            ? t('ota:upload.failed')
            : describeFailure(new CallError(errorName(isDone.code), '')),
        )
      notices.success(() => t('ota:upload.done', { version: uploadInput.FirmwareVersion }))
      close(true)
    } catch (error) {
      const fields = Object.entries(callErrorIn(error)?.fields ?? {})
      if (fields.length)
        setFieldErrors(Object.fromEntries(fields.map(([name, cause]) => [name, describeField(cause)])))
      else setProblem(describeFailure(error))
    } finally {
      setPercent(undefined)
    }
  }

  const field = (name: string, help = fieldErrors[name]) =>
    help === undefined ? {} : { validateStatus: 'error' as const, help }

  return (
    <Modal
      open
      title={t('ota:upload.title')}
      okText={t('ota:upload.ok')}
      cancelText={t('screens:cancel')}
      confirmLoading={percent !== undefined}
      onOk={() => void upload()}
      onCancel={() => percent === undefined && close(false)}
    >
      <Form layout="vertical" requiredMark={OptionalMark} disabled={percent !== undefined}>
        <Form.Item label={t('ota:upload.target')} htmlFor="firmware-target" required {...field('Target')}>
          <Select
            id="firmware-target"
            value={target}
            onChange={setTarget}
            options={targets.map((value) => ({ value, label: nameOf(value) }))}
          />
        </Form.Item>
        <Form.Item
          label={t('ota:upload.version')}
          htmlFor="firmware-version"
          required
          extra={t('ota:upload.versionHint')}
          {...field('FirmwareVersion')}
        >
          <Input
            id="firmware-version"
            value={version}
            maxLength={64}
            onChange={(event) => setVersion(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('ota:upload.notes')} htmlFor="firmware-notes" {...field('Notes')}>
          <Input.TextArea
            id="firmware-notes"
            value={notes}
            maxLength={2000}
            rows={3}
            onChange={(event) => setNotes(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('ota:upload.file')} required {...field('file', fault ?? fieldErrors['file'])}>
          <Button icon={<UploadOutlined />} onClick={() => input.current?.click()}>
            {t('ota:upload.choose')}
          </Button>
          {file && (
            <span className={page.words}>
              {file.name} · {t('ota:size', { megabytes: formatFigure(file.size / MEGABYTE) })}
            </span>
          )}
        </Form.Item>
      </Form>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('ota:upload.file')}
        onChange={(event) => {
          choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {percent !== undefined && <Progress percent={percent} />}
      {problem && <Alert type="error" showIcon message={problem} />}
    </Modal>
  )
}

/** Outcome of an upload; on failure with the gateway's status code, if any. */
type UploadOutcome = { ok: true } | { ok: false; code: number | undefined }

function uploadFile(url: string, file: Blob, onProgress: (percent: number) => void): Promise<UploadOutcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.floor((loaded / total) * 100)),
    )
    request.addEventListener('loadend', () =>
      resolve(request.status === 200 ? { ok: true } : { ok: false, code: codeIn(request) }),
    )
    request.send(file)
  })
}

function codeIn({ responseText }: XMLHttpRequest): number | undefined {
  try {
    return (JSON.parse(responseText) as { status?: { code?: number } }).status?.code
  } catch {
    return undefined
  }
}

interface Props {
  target: string
  /** Kinds for which firmware can be uploaded. */
  targets: readonly string[]
  /** Versions for the shown kind, newest first. */
  versions: readonly Firmware[]
  changed: () => void
}

export const Library: FC<Props> = ({ target, targets, versions, changed }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const nameOf = useTargetName()
  const may = { upload: useMay('ota', 'Create'), remove: useMay('ota', 'Delete') }
  const [uploading, setUploading] = useState(false)
  const upload = may.upload && (
    <Button icon={<UploadOutlined />} onClick={() => setUploading(true)}>
      {t('ota:upload.open')}
    </Button>
  )
  return (
    <Card title={t('ota:library')} extra={upload}>
      {versions.length === 0 ? (
        <EmptyState message={t('ota:libraryEmpty', { target: nameOf(target) })} />
      ) : (
        <ul className={page.rows}>
          {versions.map((firmware) => (
            <li key={firmware.FirmwareID} className={styles.version}>
              <strong>{firmware.FirmwareVersion}</strong>
              <div className={`${page.wideRow} ${page.small} ${page.words}`}>
                <span>{t('ota:size', { megabytes: formatFigure(firmware.Size / MEGABYTE) })}</span>
                <span>
                  {t('ota:uploadedBy', {
                    name: firmware.By,
                    age: formatAge(firmware.UploadedAt, now, language),
                  })}
                </span>
                <Typography.Text
                  type="secondary"
                  code
                  copyable={{ text: firmware.Sha256, tooltips: [t('ota:copySha'), t('ota:copied')] }}
                >
                  {firmware.Sha256.slice(0, 12)}…
                </Typography.Text>
                {firmware.Notes && <p className={page.note}>{firmware.Notes}</p>}
              </div>
              {may.remove && (
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={`${t('screens:remove.ok')} ${firmware.FirmwareVersion}`}
                  onClick={() =>
                    confirmRemoval({
                      name: firmware.FirmwareVersion,
                      consequence: t('ota:removeNote'),
                      remove: async () => {
                        await call(ota.deleteFirmware, { FirmwareID: firmware.FirmwareID })
                        changed()
                      },
                    })
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {uploading && (
        <UploadDialog
          targets={[target, ...targets.filter((other) => other !== target)]}
          close={(uploaded) => {
            setUploading(false)
            if (uploaded) changed()
          }}
        />
      )}
    </Card>
  )
}
