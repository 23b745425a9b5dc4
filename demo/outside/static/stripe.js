// A stand-in for Stripe.js: as much of it as embedded checkout needs. No money moves.
(() => {
  'use strict';

  const base = new URL(document.currentScript.src).origin;
  let mounted = null;

  class IntegrationError extends Error {
    name = 'IntegrationError';
  }

  const secretOf = async ({ clientSecret, fetchClientSecret }) => {
    const secret = clientSecret ?? (await fetchClientSecret?.());
    if (typeof secret !== 'string' || !/^cs_\w+_secret_\w+$/.test(secret)) {
      throw new IntegrationError('createEmbeddedCheckoutPage needs the client secret of a Checkout Session.');
    }
    return secret;
  };

  const frameOf = (secret) => {
    const frame = document.createElement('iframe');
    frame.src = `${base}/checkout/${secret}?parent=${encodeURIComponent(location.origin)}`;
    frame.title = 'Secure checkout';
    frame.allow = 'payment';
    Object.assign(frame.style, { border: '0', display: 'block', width: '100%', height: '640px' });
    return frame;
  };

  const createEmbeddedCheckoutPage = async (options) => {
    if (mounted) throw new IntegrationError('You cannot have multiple Embedded Checkout objects.');
    const page = {};
    mounted = page;
    const secret = await secretOf(options).catch((error) => {
      mounted = null;
      throw error;
    });
    const frame = frameOf(secret);
    let destroyed = false;

    const listen = ({ origin, source, data }) => {
      if (origin !== base || source !== frame.contentWindow || data?.from !== 'minimal-checkout') return;
      if (data.type === 'height' && data.height > 0) frame.style.height = `${data.height}px`;
      if (data.type === 'complete') options.onComplete?.();
      if (data.type === 'redirect' && /^https?:/.test(data.url)) window.location.assign(data.url);
    };
    const refuseIfDestroyed = () => {
      if (destroyed) throw new IntegrationError('This Embedded Checkout has been destroyed.');
    };

    return Object.assign(page, {
      mount(where) {
        refuseIfDestroyed();
        const place = typeof where === 'string' ? document.querySelector(where) : where;
        if (!place) throw new IntegrationError(`Nothing to mount the checkout in: ${where}`);
        window.addEventListener('message', listen);
        place.append(frame);
      },
      unmount() {
        refuseIfDestroyed();
        window.removeEventListener('message', listen);
        frame.remove();
      },
      destroy() {
        refuseIfDestroyed();
        page.unmount();
        destroyed = true;
        mounted = null;
      },
    });
  };

  const absent = (name) => () => {
    throw new IntegrationError(`The stand-in for Stripe.js has no ${name}: it does embedded checkout only.`);
  };

  const Stripe = (key) => {
    if (!/^pk_/.test(key)) throw new IntegrationError('A publishable key, which begins with pk_, is needed.');
    return {
      createEmbeddedCheckoutPage,
      elements: absent('elements'),
      createToken: absent('createToken'),
      createPaymentMethod: absent('createPaymentMethod'),
      confirmCardPayment: absent('confirmCardPayment'),
      registerAppInfo() {},
      _registerWrapper() {},
    };
  };
  Stripe.version = 'endive';
  window.Stripe = Stripe;
})();
