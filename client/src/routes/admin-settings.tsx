import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { EnvironmentTable } from '~/features/admin/pricing/environment-table';
import styles from '~/features/admin/pricing/pricing.module.css';
import { SettingsForm } from '~/features/admin/pricing/settings-form';
import { texts } from '~/features/admin/pricing/texts';
import { failure } from '~/graphql/list-page';
import { Link } from '~/ui/link';
import type { AdminViewer } from './admin-viewer';
import { useAdminSettingsQuery } from './admin-settings.generated';

/** Every setting of the shop: those to change here, and those of the environment. */
export default function SettingsScreen({ viewer }: { viewer: AdminViewer }) {
  const { data, error, refetch } = useAdminSettingsQuery({ fetchPolicy: 'cache-and-network' });
  const settings = data?.admin?.settings;

  return (
    <Panel
      title={texts.settings}
      waiting={texts.settingsWaiting}
      failed={!settings && failure(error, texts.settingsFailed)}
      onRetry={() => void refetch()}
      aside={
        <Link to="/admin/delivery" className="link">
          {texts.delivery}
        </Link>
      }
    >
      {settings && (
        <div>
          <PrivilegeNote id="settings-privileges" allowed={viewer.isPrimaryAdmin} />
          <section className={styles.section}>
            <SettingsForm settings={settings} allowed={viewer.isPrimaryAdmin} />
          </section>
          <EnvironmentTable environment={settings.environment} />
        </div>
      )}
    </Panel>
  );
}
