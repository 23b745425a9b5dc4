"""What a shopper would like to have but does not buy yet. The cart's neighbour; neither knows the other."""
