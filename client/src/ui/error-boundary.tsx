import { Component, type ComponentType, type ReactNode } from 'react';

export type Fallback = ComponentType<{ retry: () => void }>;

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Rendered instead of the children once one of them has thrown; `retry` renders them again. */
  fallback: Fallback;
  /** Runs before the children are rendered again. */
  onRetry?: () => void;
}

/** Confines an error in rendering, or a chunk that cannot be loaded, to this part of the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  retry = () => {
    this.props.onRetry?.();
    this.setState({ failed: false });
  };

  override render() {
    const { children, fallback: Fallback } = this.props;
    return this.state.failed ? <Fallback retry={this.retry} /> : children;
  }
}
